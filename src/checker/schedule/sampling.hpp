// Chooses which launches and blocks are watched, and counts them.
#pragma once
#include <cstdint>

#include <heddle_host/observer.hpp>

#include "checker/run_state.hpp"
#include "checker/schedule/sampled_launches.hpp"
#include "checker/schedule/watched_blocks.hpp"

namespace heddle_checker {

class sampling final : public heddle_host::observer {
 public:
  explicit sampling(run_state& run) : run_(run) {}

  void choose_by_settings() {
    blocks_.choose_by(run_.how.seed << 8 | static_cast<unsigned char>(run_.how.schedule[0]),
                      run_.how.blocks);
  }
  [[nodiscard]] bool watches(std::uint64_t linear_block) const {
    return blocks_.contains(linear_block);
  }
  [[nodiscard]] coverage covered() const {
    coverage all = run_.covered;
    all.blocks = blocks_.all();
    all.blocks_watched = blocks_.watched();
    all.accesses += run_.turn.made();
    return all;
  }

  void grid_begins(const heddle_host::launch_request& request) override {
    const bool is_watched =
        !run_.how.samples_launches || launches_.takes(request.kernel->signature);
    blocks_.grid_begins(std::uint64_t{request.grid.x} * request.grid.y * request.grid.z,
                        is_watched);
    run_.covered.kernels.insert(request.kernel->signature);
    ++run_.covered.launches;
    run_.covered.launches_watched += is_watched ? 1 : 0;
    accesses_before_grid_ = run_.covered.accesses;
  }
  void grid_ends(const heddle_host::launch_request& request, cudaError_t) override {
    launches_.has_accessed(request.kernel->signature,
                           run_.covered.accesses - accesses_before_grid_);
  }

 private:
  run_state& run_;
  watched_blocks blocks_;
  sampled_launches launches_;
  std::uint64_t accesses_before_grid_ = 0;
};

}  // namespace heddle_checker
