// group::lanes_of finds the lanes of every kind of group, and the concepts distinguish the kinds.
#include <heddle/group/members.cuh>

#include "support/sides.cuh"

namespace {
using namespace heddle_test;
namespace cg = cooperative_groups;
namespace group = heddle::group;

using block = cg::thread_block;
static_assert(group::tile_size<cg::thread_block_tile<8, block>> == 8);
static_assert(group::tile_size<cg::thread_block_tile<16>> == 16);
static_assert(group::tile_size<cg::coalesced_group> == 0);
static_assert(group::in_one_warp<cg::thread_block_tile<32, block>>);
static_assert(group::in_one_warp<cg::coalesced_group>);
static_assert(group::in_one_warp<group::lanes> && group::in_one_warp<group::part>);
static_assert(!group::in_one_warp<block> && !group::in_one_warp<cg::thread_block_tile<64, block>>);
static_assert(group::of_several_warps<block>);
static_assert(group::of_several_warps<cg::thread_block_tile<64, block>>);
static_assert(!group::of_several_warps<cg::thread_block_tile<32, block>>);
static_assert(!group::of_several_warps<cg::grid_group> && !group::in_one_warp<cg::grid_group>);

struct find_lanes {
  using answer = heddle::lane_mask;
  template <typename Group>
  __device__ heddle::lane_mask operator()(const Group& members) const {
    return group::lanes_of(members).mask;
  }
};

bool are_right_lanes(heddle::lane_mask answer, int, int, const std::vector<int>& members) {
  heddle::lane_mask expected = 0;
  for (const int member : members) expected |= heddle::lane_mask{1} << member % 32;
  return answer == expected;
}

TEST(group_members, are_the_lanes_of_every_kind_of_group_within_a_warp) {
  HEDDLE_NAME_SEED();
  expect_on_both_sides(find_lanes{}, are_right_lanes);
  expect_in_tiles(find_lanes{}, are_right_lanes);
}

struct find_lanes_in_branch {
  __device__ heddle::lane_mask operator()() const {
    if (heddle::lane_id() % 5 == 2) return group::lanes_of(cg::coalesced_threads()).mask;
    return 0;
  }
};

// A coalesced group in a branch need not hold all lanes of the branch, but it holds the caller and
// no lane from outside.
TEST(group_members, of_a_branch_are_lanes_of_that_branch) {
  const auto answers = answers_of(find_lanes_in_branch{}, 64);
  for (int thread = 0; thread < 64; ++thread) {
    if (thread % 32 % 5 != 2) continue;
    EXPECT_EQ(answers[thread] & ~0x08421084u, 0u) << thread;
    EXPECT_NE(answers[thread] >> thread % 32 & 1, 0u) << thread;
  }
}

}  // namespace
