// How long a rank waits for the others before they count as lost.
#pragma once
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

namespace heddle::distributed {

// How long a rank waits for the others.
using time_limit = std::chrono::milliseconds;

// Five minutes, or HEDDLE_RANK_TIMEOUT seconds. It must exceed the largest difference in the ranks'
// working time between two exchanges.
[[nodiscard]] inline time_limit default_time_limit() {
  const char* const given = std::getenv("HEDDLE_RANK_TIMEOUT");
  const double seconds = given != nullptr ? std::strtod(given, nullptr) : 0;
  constexpr double most = 1e7;
  return seconds > 0 && seconds < most ? time_limit(static_cast<long long>(seconds * 1000) + 1)
                                       : std::chrono::minutes(5);
}

// For a message: "2.5 s".
[[nodiscard]] inline std::string text_of(time_limit limit) {
  const auto tenths = (limit.count() + 50) / 100;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

namespace detail {

// Paces the polling of one wait: first as fast as possible, then less and less often, so that ranks
// that share a processor do not take it from those still working.
class polling {
 public:
  explicit polling(time_limit limit) : deadline_(clock::now() + limit) {}

  [[nodiscard]] bool is_over() const { return clock::now() >= deadline_; }
  void pause() {
    constexpr int fast_polls = 200;
    constexpr std::chrono::microseconds longest{200};
    if (++polls_ < fast_polls) {
      std::this_thread::yield();
      return;
    }
    std::this_thread::sleep_for(nap_);
    nap_ = nap_ * 2 < longest ? nap_ * 2 : longest;
  }

 private:
  using clock = std::chrono::steady_clock;
  clock::time_point deadline_;
  int polls_ = 0;
  std::chrono::microseconds nap_{5};
};

}  // namespace detail

}  // namespace heddle::distributed
