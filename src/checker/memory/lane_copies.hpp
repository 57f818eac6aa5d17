// Follows the asynchronous copies of lanes, which run concurrently until somebody waits for them.
#pragma once
#include <cstddef>
#include <utility>

#include <heddle_host/lane.hpp>
#include <heddle_host/observer.hpp>

#include "checker/memory/async_copies.hpp"
#include "checker/places.hpp"
#include "checker/run_state.hpp"

namespace heddle_checker {

class lane_copies final : public heddle_host::observer {
 public:
  explicit lane_copies(run_state& run) : run_(run) {}

  // Called around the accesses of one copy: before all of them, and between its reads and its
  // writes.
  void begin() { run_.races.ask_for_copy(*running_block().clock, heddle_host::lane_now.thread); }
  void has_read() { running_block().copies[heddle_host::lane_now.thread].reads = copies_so_far(); }

  void* block_has_memory(const heddle_host::block_memory& memory) override {
    of_barriers_.forget(number(memory.shared), memory.shared_bytes);
    of_barriers_.forget(number(memory.dynamic_shared), memory.dynamic_shared_bytes);
    return nullptr;
  }
  void copies_are_committed(heddle_host::copy_queue which) override {
    copies_of_lane& mine = running_block().copies[heddle_host::lane_now.thread];
    mine.commit(which, {mine.reads, copies_so_far()});
  }
  void copies_are_awaited(heddle_host::copy_queue which, std::size_t all_but,
                          bool reads_only) override {
    const copies_of_lane::group done =
        running_block().copies[heddle_host::lane_now.thread].await(which, all_but);
    has_awaited(reads_only ? done.reads : done.all);
  }
  void barrier_takes_copies(const void* barrier) override {
    of_barriers_.bind(number(barrier), copies_so_far());
  }
  void phase_ends(const void* barrier) override { of_barriers_.end_phase(number(barrier)); }
  void phase_is_awaited(const void* barrier) override {
    has_awaited(of_barriers_.done(number(barrier)));
  }

 private:
  [[nodiscard]] vector_clock copies_so_far() {
    return run_.races.copies_so_far(*running_block().clock, heddle_host::lane_now.thread);
  }
  void has_awaited(const vector_clock& copies) {
    run_.races.has_awaited(*running_block().clock, heddle_host::lane_now.thread, copies);
  }

  run_state& run_;
  copies_of_barriers of_barriers_;
};

}  // namespace heddle_checker
