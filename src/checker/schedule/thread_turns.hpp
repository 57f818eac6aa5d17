// Chooses which host thread runs when several could: one at a time, as the schedule says.
#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "checker/schedule/schedules.hpp"

namespace heddle_checker {

// Tracks what each thread could do, and chooses. Stopping threads is up to the caller.
class thread_turns {
 public:
  using thread = unsigned;  // numbered in the order in which they begin
  using moment = std::chrono::steady_clock::time_point;
  static constexpr thread no_thread = ~0u;
  static constexpr unsigned all = ~0u;

  // Without a generator, a thread runs until it waits; then the next one by number runs.
  void decide_by(std::optional<random_generator> random);

  [[nodiscard]] thread begin();  // it could run
  void end(thread who);
  // The running thread stops. It could continue (offer), lets others go first (step_back), or waits
  // for something, perhaps with a deadline (wait).
  void offer(thread who) { stop(who, state::ready); }
  void step_back(thread who) { stop(who, state::yielding); }
  void wait(thread who, const void* what, std::optional<moment> until, moment now);
  // Up to `most` threads that wait for it become ready.
  unsigned wake(const void* what, unsigned most = all);
  // The running thread does something unknown. It asks for its turn with offer() when it returns.
  void lose(thread who) { stop(who, state::lost); }

  // Returns the next thread, which runs from now on. A wait times out only when nothing else
  // happens: no other thread could run, or for some turns only threads that let others go first.
  // Timeouts happen in the order of the durations asked for, and hardly depend on the clock.
  // no_thread: a deadline or something from outside must come first.
  thread choose(moment now);
  [[nodiscard]] bool wants_switch();  // the running thread should stop although it could go on
  [[nodiscard]] bool gave_up(thread who) const { return threads_.at(who).gave_up; }
  [[nodiscard]] bool has_choice() const;  // some thread could run
  [[nodiscard]] bool has_running() const;
  // All threads wait without a deadline: none of them can change that.
  [[nodiscard]] bool all_wait_forever() const;
  [[nodiscard]] std::size_t count() const { return threads_.size(); }

 private:
  enum class state : unsigned char { running, ready, yielding, waiting, lost };
  struct record {
    state is = state::ready;
    bool gave_up = false;
    unsigned passed_over = 0;  // how often it could have run and another did
    const void* what = nullptr;
    std::optional<moment> until{};
    std::uint64_t due = 0;  // by a clock that runs only while all wait
    bool is_short = false;
    std::uint64_t since = 0;  // orders waits by when they began
  };
  void stop(thread who, state how) { threads_.at(who).is = how; }
  // In the order of their numbers, starting after the thread that ran last.
  [[nodiscard]] std::vector<thread> those_that_are(state how) const;
  [[nodiscard]] thread one_of(const std::vector<thread>& some);
  [[nodiscard]] thread find_next(moment now);
  [[nodiscard]] thread first_in_time() const;  // of those that wait with a deadline

  std::map<thread, record> threads_;
  thread begun_ = 0;
  thread last_ = 0;
  std::uint64_t waits_ = 0;
  std::uint64_t time_ = 0;          // milliseconds of that clock
  unsigned turns_of_yielding_ = 0;  // in a row
  std::optional<random_generator> random_;
  unsigned rarity_ = 1;  // one in this many points is a switch
};

}  // namespace heddle_checker
