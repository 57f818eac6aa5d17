// Follows what orders memory, and reports data races, data published without a fence, and __ldg of
// memory that the kernel writes.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <heddle_host/fault.hpp>
#include <heddle_host/observer.hpp>

#include "checker/memory/plain_word.hpp"
#include "checker/places.hpp"
#include "checker/run_state.hpp"

namespace heddle_checker {

class race_check final : public heddle_host::observer {
 public:
  explicit race_check(run_state& run) : run_(run) {}

  [[gnu::cold, gnu::noinline]] void report(const race& what) {
    if (is_freeing_) return report_use_beside_free(what);
    finding wrong{finding_kind::race, cudaSuccess, {}};
    wrong.cause = what.cause == race_cause::scope  ? finding_cause::scope
                  : what.cause == race_cause::size ? finding_cause::size
                                                   : finding_cause::unordered;
    // The side that the program means to come first is listed second.
    const bool is_swapped = what.intended == program_order::second_side;
    const side& early = is_swapped ? what.second : what.first;
    const side& late = is_swapped ? what.first : what.second;
    if (what.intended == program_order::unknown) {
      wrong.fact = heddle_host::unknown_order{};
      wrong.texts = what.texts;
    }
    for (const side* each : {&late, &early}) {
      wrong.places.push_back(run_.where.place_of(*each));
      if (wrong.kernel.empty() && wrong.places.back().kernel != nullptr) {
        wrong.kernel = wrong.places.back().kernel;
      }
    }
    if (what.first.of != what.second.of) {
      for (const side* each : {&what.first, &what.second}) {
        run_.where.add_launch_of(each->of, wrong);
      }
    }
    run_.describe(spot_at(what.address), wrong);
    run_.collect(std::move(wrong));
  }

  // Operations that order memory. Shuffles, votes and matches do not.
  void fence(heddle_host::memory_scope whom, order ordering) {
    run_.races.fence(*running_block().clock, heddle_host::lane_now.thread, reach_of(whom),
                     ordering);
  }
  void warp_meets(uint3, unsigned warp, heddle_host::warp_operation what, unsigned,
                  unsigned present) override {
    if (what != heddle_host::warp_operation::sync) return;
    run_.races.warp_sync(*running_block().clock, warp, present);
  }
  void threads_meet(const std::uint32_t* lanes_of_warp, unsigned warps, bool are_all) override {
    block_clock& block = *running_block().clock;
    if (are_all) return run_.races.block_barrier(block);
    std::vector<unsigned> threads;
    for (unsigned warp = 0; warp < warps; ++warp) {
      for (unsigned lane = 0; lane < 32; ++lane) {
        if (lanes_of_warp[warp] >> lane & 1) threads.push_back(warp * 32 + lane);
      }
    }
    run_.races.partial_barrier(block, threads);
  }
  void lane_passes_barrier(unsigned barrier) override {
    block_record& block = running_block();
    block.released_to_barrier[barrier].join(
        run_.races.release_to_barrier(*block.clock, heddle_host::lane_now.thread));
  }
  void passed_barrier_is_complete(unsigned barrier, const std::uint32_t* lanes_of_warp) override {
    block_record& block = running_block();
    const vector_clock released = std::exchange(block.released_to_barrier[barrier], {});
    for (unsigned thread = 0; thread < block.memory.threads; ++thread) {
      if ((lanes_of_warp[thread / 32] >> thread % 32 & 1) == 0) continue;
      run_.races.has_awaited(*block.clock, thread, released);
    }
  }
  void grid_meets() override { run_.races.grid_barrier(run_.running); }
  // From now on each block can reach the shared memory of the others, which earlier blocks have
  // used.
  void cluster_begins(void* const* observed, unsigned blocks) override {
    for (unsigned i = 0; i < blocks; ++i) {
      const auto& memory = static_cast<const block_record*>(observed[i])->memory;
      run_.races.forget(number(memory.shared), memory.shared_bytes);
    }
    run_.races.form_cluster(clocks_of(observed, blocks));
  }
  void cluster_meets(void* const* observed, unsigned blocks) override {
    run_.races.cluster_barrier(clocks_of(observed, blocks));
  }
  // CUDA's own fences are sequentially consistent.
  void fence_runs(heddle_host::memory_scope whom, const void*) override {
    fence(whom, order::seq_cst);
  }

  // While a stream frees memory, an access that is not ordered with the free is a use after free.
  void begin_free() { is_freeing_ = true; }
  void end_free() { is_freeing_ = false; }

  // A volatile load, just before it happens. It may return what its location held before the newest
  // store. That is a defect if it changes the result of the grid; a polling lane only looks again.
  void lane_loads_unfenced(const access& what) {
    const auto& store = run_.races.unfenced();
    if (!store || store->by.is_host || run_.order.exploring != nullptr || run_.order.is_weak) {
      return;
    }
    // In global memory, lanes of a warp may also look at what they do not rely on, as in a
    // lock-free list that a compare-and-swap validates.
    const bool is_in_step = store->is_same_warp && running_block().has_shared(what.address);
    if (!store->is_published && !is_in_step) return;
    const std::optional<std::uint64_t> older = run_.weak.replaced.find(what.address, what.bytes);
    if (!older || *older == load_word(what.address, what.bytes)) return;
    if (!run_.probe.is_open(what.code)) return run_.probe.count(what.code);
    finding wrong = race_with(
        what, is_in_step ? finding_cause::warp_synchronous : finding_cause::unfenced, store->by);
    run_.probe.ask_for_result(what.code, *older, std::move(wrong));
    run_.looks_closely = true;
    if (run_.probe.is_rerun()) {
      const std::uint64_t held = load_word(what.address, what.bytes);
      run_.weak.substituted.substitute(what.address, what.bytes,
                                       run_.probe.value_at(what.code, held));
    }
  }

  // Called for __ldg, before the load itself is checked. The read-only cache does not see stores of
  // the running grid, whichever lane makes them.
  void lane_loads_read_only(const access& what) {
    if (!run_.memory.is_seen_by_others(what.address)) return;
    for (unsigned i = 0; i < what.bytes; i += shadow::granule) {
      const std::optional<side> writer = run_.races.last_writer(what.address + i);
      if (!writer || writer->of != run_.running || writer->is_host) continue;
      return run_.collect(race_with(what, finding_cause::read_only_load, *writer));
    }
  }

 private:
  using finding = heddle_host::finding;
  using finding_cause = heddle_host::finding_cause;
  using finding_kind = heddle_host::finding_kind;

  // A race between a load of the running lane and a store.
  finding race_with(const access& load, finding_cause cause, const side& store) {
    heddle_host::lane_place reader = heddle_host::place_of_running_lane(load.code, true);
    reader.doing = heddle_host::activity::reading;
    reader.kernel = run_.kernel();
    finding wrong{finding_kind::race,
                  cudaSuccess,
                  run_.kernel(),
                  cause,
                  {reader, run_.where.place_of(store)}};
    run_.describe(load, wrong);
    return wrong;
  }

  static std::vector<block_clock*> clocks_of(void* const* observed, unsigned blocks) {
    std::vector<block_clock*> clocks;
    for (unsigned i = 0; i < blocks; ++i) {
      clocks.push_back(static_cast<block_record*>(observed[i])->clock);
    }
    return clocks;
  }

  void report_use_beside_free(const race& what) {
    finding wrong{finding_kind::use_after_free,
                  cudaErrorIllegalAddress,
                  {},
                  finding_cause::unordered,
                  {run_.where.place_of(what.first)}};
    if (wrong.places.front().kernel != nullptr) wrong.kernel = wrong.places.front().kernel;
    run_.where.add_launch_of(what.first.of, wrong);
    run_.describe(spot_at(what.address), wrong);
    run_.collect(std::move(wrong));
  }

  run_state& run_;
  bool is_freeing_ = false;
};

}  // namespace heddle_checker
