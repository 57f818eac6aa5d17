// Lets host threads take turns.
#include "checker/schedule/host_turns.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "checker/schedule/quiet_section.hpp"
#include "checker/schedule/schedules.hpp"
#include "checker/streams/stream_server.hpp"

namespace heddle_checker {

// Uses a separate generator, so that the order of host threads does not change the order of lanes.
void host_turns::decide_by_schedule() {
  const settings& how = run_.how;
  const bool has_order = how.threads_by_number || how.schedule == "converged" ||
                         how.schedule == "freeze" || how.schedule == "exhaustive";
  const std::uint64_t seed = ~how.seed << 8 | static_cast<unsigned char>(how.schedule[0]);
  threads_in_force->decide_by(has_order ? std::nullopt : std::optional(random_generator(seed)));
}

void host_turns::host_call_begins() {
  if (waits_by_turns()) threads_in_force->pass_point();
  ++quiet_section::depth();
}

void host_turns::host_call_ends() {
  --quiet_section::depth();
  streams_may_have_work();
}

// Streams do their work as late as possible: other threads may enqueue more first.
void host_turns::host_is_to_wait() {
  if (waits_by_turns()) threads_in_force->step_back();
}

void host_turns::let_host_come() {
  const bool by_turns = threads_in_force->are_several() && threads_in_force->is_taking_part();
  if (!by_turns) return run_.mutex.yield();
  // A thread that waits for the mutex may have had to wait for something else meanwhile.
  if (!run_.mutex.has_waiters() && --atomics_until_host_ != 0) return;
  atomics_per_turn_ = std::min(2 * atomics_per_turn_, most_atomics_per_turn);
  atomics_until_host_ = atomics_per_turn_;
  run_.mutex.run_unlocked([] { threads_in_force->step_back(); });
}

void host_turns::host_polls() {
  constexpr unsigned polls_per_turn = 64;
  static thread_local unsigned polls = 0;
  if (quiet_section::depth() != 0) return;
  ++polls;
  if (polls % polls_per_turn == 0) let_streams_get_on();
  if (!waits_by_turns()) return;
  if (polls % polls_per_turn == 0) {
    threads_in_force->step_back();
  } else {
    threads_in_force->pass_point();
  }
}

}  // namespace heddle_checker
