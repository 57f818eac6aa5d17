// Lists all checks and the events each one receives; a new check goes here.
#pragma once
#include "checker/checks/aba_check.hpp"
#include "checker/checks/alignment_check.hpp"
#include "checker/checks/api_check.hpp"
#include "checker/checks/barrier_check.hpp"
#include "checker/checks/bounds_check.hpp"
#include "checker/checks/convergence_check.hpp"
#include "checker/checks/heap_check.hpp"
#include "checker/checks/leak_check.hpp"
#include "checker/checks/race_check.hpp"
#include "checker/checks/shift_check.hpp"
#include "checker/checks/space_check.hpp"
#include "checker/checks/stall_check.hpp"
#include "checker/checks/undefined_check.hpp"
#include "checker/explore/exploration_events.hpp"
#include "checker/memory/lane_copies.hpp"
#include "checker/run_state.hpp"
#include "checker/schedule/host_turns.hpp"
#include "checker/schedule/sampling.hpp"
#include "checker/streams/stream_work.hpp"
#include "checker/weak/weak_loads.hpp"

namespace heddle_checker {

struct check_list {
  explicit check_list(run_state& run)
      : aba(run),
        alignment(run),
        api(run),
        barriers(run),
        bounds(run),
        convergence(run),
        heap(run),
        leaks(run),
        races(run),
        shifts(run),
        spaces(run, bounds),
        stalls(run),
        undefined(run),
        copies(run),
        exploration(run),
        host(run),
        samples(run),
        streams(run, races, undefined),
        weak(run) {}

  aba_check aba;
  alignment_check alignment;
  api_check api;
  barrier_check barriers;
  bounds_check bounds;
  convergence_check convergence;
  heap_check heap;
  leak_check leaks;
  race_check races;
  shift_check shifts;
  space_check spaces;
  stall_check stalls;
  undefined_check undefined;
  // Not checks, but they receive the same events.
  lane_copies copies;
  exploration_events exploration;
  host_turns host;
  sampling samples;
  stream_work streams;
  weak_loads weak;

  // Each member is an observer with a final class, so an event it does not override costs nothing.
  // `weak` comes before `undefined`, which looks at the memory that a grid leaves behind.
  template <typename Function>
  [[gnu::always_inline]] void for_each(Function notify) {
    notify(stalls);
    notify(exploration);
    notify(samples);
    notify(weak);
    notify(undefined);
    notify(races);
    notify(copies);
    notify(aba);
    notify(alignment);
    notify(api);
    notify(barriers);
    notify(bounds);
    notify(convergence);
    notify(heap);
    notify(leaks);
    notify(shifts);
    notify(spaces);
    notify(host);
    notify(streams);
  }
};

}  // namespace heddle_checker
