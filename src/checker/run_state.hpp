// State that the checks of a run share. The checks themselves are in checks/.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include <heddle_host/launch.hpp>
#include <heddle_host/schedule.hpp>

#include "checker/block_record.hpp"
#include "checker/coverage.hpp"
#include "checker/explore/explored_order.hpp"
#include "checker/explore/explorer.hpp"
#include "checker/findings.hpp"
#include "checker/locations.hpp"
#include "checker/memory/device_memory.hpp"
#include "checker/progress/standstill.hpp"
#include "checker/race/race_detector.hpp"
#include "checker/schedule/ticket_mutex.hpp"
#include "checker/settings.hpp"
#include "checker/streams/handle_log.hpp"
#include "checker/undefined/value_probe.hpp"
#include "checker/weak/promised_stores.hpp"
#include "checker/weak/replaced_values.hpp"
#include "checker/weak/substituted_load.hpp"

namespace heddle_checker {

// Decides which lane runs next.
struct lane_order {
  std::unique_ptr<heddle_host::schedule> schedule;  // null: converged or exhaustive
  std::unique_ptr<explored_order> explored;         // null: not exhaustive
  std::unique_ptr<explorer> exploring;              // null: replays one interleaving
  bool is_scheduled = false;                        // a schedule decides
  bool asks_only_at_strong = false;                 // and it decides only at strong accesses
  bool is_weak = false;                             // loads may be late or early
};

// The number of accesses that the running lane may still make before others run. Without a schedule
// the first turn is short, because what lanes do first is what others may miss.
struct lane_turn {
  unsigned length = 1;
  unsigned left = 1;

  void begin(unsigned accesses) { length = left = accesses; }
  [[nodiscard]] unsigned made() const { return length - left; }
};

// State for loads that do not return what memory holds.
struct weak_memory {
  substituted_load substituted;
  promised_stores promises;
  replaced_values replaced;
};

struct run_state {
  // `on_race` must not be called before the checks exist.
  run_state(const settings& how, std::function<void(const race&)> on_race)
      : races(memory.arena.begin, memory.arena.bytes, std::move(on_race),
              {.keeps_all_readers = how.keeps_all_readers}) {}

  settings how;
  findings found;
  bool has_failed = false;  // a kernel failed; no later CUDA call works, not even to free memory
  coverage covered;
  ticket_mutex mutex;  // the thread that runs a grid holds it
  lane_order order;
  lane_turn turn;
  device_memory memory;
  race_detector races;
  standstill progress;
  weak_memory weak;
  value_probe probe;
  bool looks_closely = false;  // a check needs to see every access
  locations where;
  handle_log handles;
  block_records blocks;
  const heddle_host::launch_request* grid = nullptr;  // the running grid
  agent running = 0;                                  // the running grid, for the race detector

  [[nodiscard]] bool explores() const { return order.explored != nullptr; }
  // The exhaustive schedule allows one host thread only, and its forked processes could wait for
  // the mutex forever. So it does not lock it.
  [[nodiscard]] ticket_mutex* mutex_for_host() { return explores() ? nullptr : &mutex; }

  void collect(heddle_host::finding what) { found.add(std::move(what)); }
  [[nodiscard]] const char* kernel() const { return grid->kernel->signature; }
  void describe(const access& what, heddle_host::finding& in) { memory.describe(what, in); }
  // The place where a lane exited.
  [[nodiscard]] heddle_host::lane_place exit_of(const side& who, const void* code) const {
    heddle_host::lane_place place = where.place_of(who);
    place.doing = heddle_host::activity::exiting;
    place.kernel = nullptr;  // the finding names it
    place.code = code;
    return place;
  }
};

}  // namespace heddle_checker
