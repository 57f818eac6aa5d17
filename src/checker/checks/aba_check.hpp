// Finds compare-and-swaps that succeed although the location was changed and changed back (ABA).
#pragma once
#include <cstdint>
#include <utility>

#include <heddle_host/fault.hpp>
#include <heddle_host/observer.hpp>

#include "checker/memory/aba.hpp"
#include "checker/places.hpp"
#include "checker/run_state.hpp"

namespace heddle_checker {

class aba_check final : public heddle_host::observer {
 public:
  explicit aba_check(run_state& run) : run_(run) {}

  [[nodiscard]] bool has_watched_lanes() const { return watch_.has_watched_lanes(); }

  // Called just before an atomic operation of the running lane, with the value that the location
  // holds and the one that it will hold. Equal values: a load.
  void lane_changes(const access& what, std::uint64_t held, std::uint64_t next, bool compares) {
    if (held == next || compares || watch_.has_watched_locations()) {
      follow_change(what, held, next, compares);
    }
  }
  // A plain load by a lane that may be about to compare and swap.
  void lane_loads(const access& what) {
    if (what.bytes <= 8 && watch_.has_looked(running_lane())) note_load(what);
  }
  void lane_returns() {
    if (watch_.has_watched_lanes()) watch_.forget(running_lane());
  }

  void grid_ends(const heddle_host::launch_request&, cudaError_t) override { watch_.clear(); }

 private:
  [[gnu::noinline]] void note_load(access what) {
    std::uint64_t value = 0;
    __builtin_memcpy(&value, reinterpret_cast<const void*>(what.address), what.bytes);
    watch_.load(running_lane(), what.address, what.bytes, value);
  }

  [[gnu::noinline]] void follow_change(access what, std::uint64_t held, std::uint64_t next,
                                       bool compares) {
    if (what.bytes > 8) return;
    const aba_watch::action how{running_lane(), what.code, what.way};
    if (compares && what.way == direction::update) {
      if (const auto wrong = watch_.swap(how.by, what.address, held)) report(what, *wrong);
    }
    // atomicAdd(&x, 0) is a load too.
    const bool is_load =
        what.way == direction::read || (what.way == direction::update && !compares && held == next);
    if (is_load) {
      watch_.load(how.by, what.address, what.bytes, held);
      watch_.look(what.address, held, how);
    } else {
      watch_.store(what.address, next, how);
      if (compares) watch_.forget(how.by);
    }
  }

  [[gnu::cold, gnu::noinline]] void report(const access& what, const aba_watch::conviction& wrong) {
    heddle_host::finding found{heddle_host::finding_kind::aba, cudaSuccess, run_.kernel()};
    found.places.push_back(heddle_host::place_of_running_lane(what.code, true));
    found.places.back().doing = doing(what.way);
    for (const aba_watch::action& each : {wrong.read, wrong.away.how, wrong.back.how}) {
      found.places.push_back(
          run_.where.place_of({run_.running, false, false, each.by >> 10,
                               static_cast<unsigned>(each.by & 1023), each.code, each.does}));
      found.places.back().kernel = nullptr;  // the finding names it
    }
    run_.describe(what, found);
    run_.collect(std::move(found));
  }

  run_state& run_;
  aba_watch watch_;
};

}  // namespace heddle_checker
