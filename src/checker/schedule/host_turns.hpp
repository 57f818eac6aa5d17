// Where host threads take turns: at their calls, at their polls, and while kernels run.
#pragma once
#include <heddle_host/observer.hpp>

#include "checker/hooks/thread_hooks.hpp"
#include "checker/run_state.hpp"

namespace heddle_checker {

class host_turns final : public heddle_host::observer {
 public:
  explicit host_turns(run_state& run) : run_(run) {}

  void decide_by_schedule();
  // Whether a host thread may run now. A kernel and host threads can communicate only at the atomic
  // operations of lanes.
  [[nodiscard]] bool host_may_come() const {
    return run_.mutex.has_waiters() || (threads_in_force->has_choice() && !run_.explores());
  }
  void let_host_come();
  // A host thread reads atomically or volatile: it may be polling.
  void host_polls();

  void grid_begins(const heddle_host::launch_request&) override {
    atomics_until_host_ = atomics_per_turn_ = first_atomics_per_turn;
  }
  void host_call_begins() override;
  void host_call_ends() override;
  void host_is_to_wait() override;

 private:
  // Lanes make this many atomic operations before host threads run; if these find nothing to do,
  // twice as many, and so on.
  static constexpr unsigned first_atomics_per_turn = 16;
  static constexpr unsigned most_atomics_per_turn = 4096;

  run_state& run_;
  unsigned atomics_until_host_ = 0;
  unsigned atomics_per_turn_ = 0;
};

}  // namespace heddle_checker
