// How the runtime behaves: as fast as it can, or so that a run can be checked and repeated.
#pragma once

namespace heddle_host {

struct run_policy {
  // Lanes
  bool uses_one_worker = false;          // all blocks run on one thread, so a run can be repeated
  bool preempts_by_timer = true;         // a lane that spins without a call; else only at its end
  bool follows_warp_operations = false;  // records who waits where, and whose value a shuffle reads
  bool samples_lanes = false;            // the observer gets digests of running lanes
  bool counts_processor_time = false;    // for time limits: a busy machine ends nothing
  unsigned stack_factor = 1;             // instrumented code needs larger stacks
  double timeout_seconds = 30;           // without progress; HEDDLE_TIMEOUT overrides it
  // Memory
  bool uses_arena = false;         // addresses are never reused, and fresh memory is poisoned
  bool checks_copy_kinds = false;  // reports copies whose pointers are not in the memory they name
  // Streams and calls
  bool works_when_awaited = false;  // a stream does its work on the thread that waits for it
  bool records_calls = false;       // of launches and of failed calls: the host's call stack
};

namespace detail {
[[gnu::visibility("hidden")]] extern run_policy policy_in_force;
}

// Of this program; does not change once a grid has run. Inline, since warp operations ask for it.
inline const run_policy& policy() { return detail::policy_in_force; }
void set_policy(const run_policy& wanted);

// For checked and profiled programs.
inline constexpr run_policy checked_policy = [] {
  run_policy made;
  made.uses_one_worker = true;
  made.preempts_by_timer = false;
  made.follows_warp_operations = true;
  made.samples_lanes = true;
  made.counts_processor_time = true;
  made.stack_factor = 4;
  made.timeout_seconds = 10;
  made.uses_arena = true;
  made.checks_copy_kinds = true;
  made.works_when_awaited = true;
  made.records_calls = true;
  return made;
}();

}  // namespace heddle_host
