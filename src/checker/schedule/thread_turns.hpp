// Which thread of the host goes on when several could: one at a time, as the schedule says.
#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "checker/schedule/schedules.hpp"

namespace heddle_checker {

// Knows what each thread could do, and chooses; how threads are stopped is none of its business.
class thread_turns {
 public:
  using thread = unsigned;  // numbered as they begin
  using moment = std::chrono::steady_clock::time_point;
  static constexpr thread nobody = ~0u;
  static constexpr unsigned all = ~0u;

  // Without dice a thread goes on until it waits, then the next one by number.
  void decide_by(std::optional<dice> tosses);

  [[nodiscard]] thread begin();  // it could go on
  void end(thread who);
  // The running one stops. It could go on; or it lets others go first; or it waits for something,
  // and may give up at some time.
  void offer(thread who) { stop(who, state::ready); }
  void step_back(thread who) { stop(who, state::behind); }
  void wait(thread who, const void* what, std::optional<moment> until, moment now);
  // Those that wait for it could go on, `most` of them at most.
  unsigned wake(const void* what, unsigned most = all);
  // Nobody knows what the running one does. It asks for its turn with offer() when it comes back.
  void lose(thread who) { stop(who, state::lost); }

  // The next one runs from now on. Waits end by time only where nothing else happens: where no
  // other thread could go on, or for some turns only such that let others go first. In which order
  // they do depends on how long they were meant to last, and hardly on the clock. Nobody:
  // somebody's time must come first, or something from outside.
  thread choose(moment now);
  [[nodiscard]] bool wants_switch();  // whether the running one is to stop although it could go on
  [[nodiscard]] bool gave_up(thread who) const { return threads_.at(who).gave_up; }
  [[nodiscard]] bool has_choice() const;  // somebody could go on
  [[nodiscard]] bool somebody_runs() const;
  // All wait, for ever: none of them can change that.
  [[nodiscard]] bool all_wait_for_ever() const;
  [[nodiscard]] std::size_t count() const { return threads_.size(); }

 private:
  enum class state : unsigned char { running, ready, behind, waiting, lost };
  struct record {
    state is = state::ready;
    bool gave_up = false;
    unsigned passed_over = 0;  // so often it could have gone on, and another one did
    const void* what = nullptr;
    std::optional<moment> until{};
    std::uint64_t due = 0;  // by a clock that runs only while all wait
    bool is_short = false;
    std::uint64_t since = 0;  // waits in the order in which they begin
  };
  void stop(thread who, state how) { threads_.at(who).is = how; }
  // In the order of numbers, behind the one that has run last.
  [[nodiscard]] std::vector<thread> those_that_are(state how) const;
  [[nodiscard]] thread one_of(const std::vector<thread>& some);
  [[nodiscard]] thread find_next(moment now);
  [[nodiscard]] thread first_in_time() const;  // of those that wait for some time

  std::map<thread, record> threads_;
  thread begun_ = 0;
  thread last_ = 0;
  std::uint64_t waits_ = 0;
  std::uint64_t time_ = 0;        // milliseconds of that clock
  unsigned turns_of_behind_ = 0;  // one after the other
  std::optional<dice> tosses_;
  unsigned rarity_ = 1;  // one of so many points is a switch
};

}  // namespace heddle_checker
