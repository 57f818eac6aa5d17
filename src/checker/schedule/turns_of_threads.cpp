// Where threads of the host may take turns: at their calls, and while kernels run.
#include <algorithm>

#include "checker/checker.hpp"
#include "checker/schedule/quiet_section.hpp"
#include "checker/streams/stream_server.hpp"

namespace heddle_checker {

// Dice of their own: how threads take turns makes no difference to the order of lanes.
void checker::decide_over_threads() {
  const bool has_order = how_.threads_by_number || how_.schedule == "converged" ||
                         how_.schedule == "freeze" || how_.schedule == "exhaustive";
  const std::uint64_t seed = ~how_.seed << 8 | static_cast<unsigned char>(how_.schedule[0]);
  threads_in_force->decide_by(has_order ? std::nullopt : std::optional(dice(seed)));
}

void checker::host_call_begins() {
  if (waits_by_turns()) threads_in_force->pass_point();
  ++quiet_section::depth();
}

void checker::host_call_ends() {
  --quiet_section::depth();
  streams_may_have_work();
}

// What streams do happens as late as it may: what others ask for comes first.
void checker::host_is_to_wait() {
  if (waits_by_turns()) threads_in_force->step_back();
}

void checker::let_host_come() {
  const bool by_turns = threads_in_force->are_several() && threads_in_force->is_taking_part();
  if (!by_turns) return door_.let_others_in();
  // Somebody may be at the door who had to wait for something else meanwhile.
  if (!door_.is_wanted() && --atomics_until_host_ != 0) return;
  atomics_per_visit_ = std::min(2 * atomics_per_visit_, most_atomics_per_visit);
  atomics_until_host_ = atomics_per_visit_;
  door_.step_outside([] { threads_in_force->step_back(); });
}

// A thread that looks again and again may wait for another one.
void checker::host_looks() {
  constexpr unsigned looks_per_turn = 64;
  static thread_local unsigned looks = 0;
  if (quiet_section::depth() != 0) return;
  ++looks;
  if (looks % looks_per_turn == 0) let_streams_get_on();
  if (!waits_by_turns()) return;
  if (looks % looks_per_turn == 0) {
    threads_in_force->step_back();
  } else {
    threads_in_force->pass_point();
  }
}

}  // namespace heddle_checker
