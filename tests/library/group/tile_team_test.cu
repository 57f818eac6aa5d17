// Tiles of several warps as teams: a thread's position in its tile, and that only the tile waits.
#include <cooperative_groups.h>
#include <heddle/group/tile_team.cuh>

#include "support/on_device.cuh"

namespace {
using namespace heddle_test;
namespace detail = heddle::group::detail;

// Each tile counts how many of its threads have arrived before it lets any of them continue.
struct meet_in_tiles {
  __device__ int2 operator()() const {
    namespace cg = cooperative_groups;
    __shared__ cg::block_tile_memory<512> memory;
    __shared__ heddle::group::scratch<int> shared;
    __shared__ int come[4];
    const auto block = cg::this_thread_block(memory);
    if (threadIdx.x < 4) come[threadIdx.x] = 0;
    __syncthreads();
    const auto tile = cg::tiled_partition<128>(block);
    const auto here = detail::team_of(tile, shared);
    atomicAdd(&come[threadIdx.x / 128], 1);
    here.sync();
    const int met = *const_cast<volatile int*>(&come[threadIdx.x / 128]);
    return make_int2(here.rank + 1000 * here.warp + 100'000 * here.warps, met);
  }
};

TEST(group_tile_team, ranks_and_synchronises_tiles_of_several_warps) {
  const auto answers = answers_of(meet_in_tiles{}, 512);
  for (int i = 0; i < 512; ++i) {
    const auto& found = answers[static_cast<std::size_t>(i)];
    ASSERT_EQ(found.x, i % 128 + 1000 * (i % 128 / 32) + 400'000) << "thread " << i;
    ASSERT_EQ(found.y, 128) << "thread " << i << " did not wait for all of its tile";
  }
}

}  // namespace
