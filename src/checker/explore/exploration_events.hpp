// Passes the events of a run to the exploration of all interleavings.
#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include <heddle_host/observer.hpp>

#include "checker/run_state.hpp"

namespace heddle_checker {

class exploration_events final : public heddle_host::observer {
 public:
  explicit exploration_events(run_state& run) : run_(run) {}

  void grid_begins(const heddle_host::launch_request& request) override {
    if (!run_.explores()) return;
    if (request.cluster.x * request.cluster.y * request.cluster.z > 1) {
      run_.order.explored->refuse("exhaustive: clusters of blocks are not explored");
    }
  }
  void grid_ends(const heddle_host::launch_request&, cudaError_t how) override {
    if (run_.explores() && how != cudaSuccess) run_.order.explored->grid_fails();
  }
  void warp_meets(uint3, unsigned warp, heddle_host::warp_operation, unsigned mask,
                  unsigned present) override {
    if (!run_.explores()) return;
    std::vector<unsigned> threads;  // including exited threads, which let the others continue
    add(threads, warp, mask | present);
    run_.order.explored->threads_meet(running_block().linear_block, threads);
  }
  void threads_meet(const std::uint32_t* lanes_of_warp, unsigned warps, bool are_all) override {
    if (!run_.explores()) return;
    const block_record& block = running_block();
    std::vector<unsigned> threads;
    if (are_all) {
      for (unsigned thread = 0; thread < block.memory.threads; ++thread) threads.push_back(thread);
    } else {
      for (unsigned warp = 0; warp < warps; ++warp) add(threads, warp, lanes_of_warp[warp]);
    }
    run_.order.explored->threads_meet(block.linear_block, threads);
  }
  void lane_passes_barrier(unsigned) override {
    if (run_.explores()) run_.order.explored->refuse("exhaustive: bar.arrive is not explored");
  }
  void grid_meets() override {
    if (run_.explores()) run_.order.explored->all_meet();
  }

 private:
  static void add(std::vector<unsigned>& threads, unsigned warp, std::uint32_t lanes) {
    for (; lanes != 0; lanes &= lanes - 1) {
      threads.push_back(warp * 32 + static_cast<unsigned>(std::countr_zero(lanes)));
    }
  }

  run_state& run_;
};

}  // namespace heddle_checker
