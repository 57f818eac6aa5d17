// group::reduce_warps and scan_warps: one value per warp, in the order of the warps.
#include <heddle/group/warps.cuh>

#include "support/on_device.cuh"
#include "support/operators.cuh"

namespace {
using namespace heddle_test;
namespace cg = cooperative_groups;
namespace group = heddle::group;

struct found {
  interval total, before, scanned_total;
};

// In turn k warp i brings the interval [100 * k + i, 100 * k + i]: joining in any other order, or
// with what another turn has brought, breaks it for good.
template <typename Group, typename Scratch>
__device__ found meet(const Group& members, Scratch& scratch) {
  const int last_lane = heddle::last_lane(group::lanes_in_warp(members).mask);
  found answer{};
  for (int turn = 0; turn < 3; ++turn) {
    const auto start = static_cast<std::int16_t>(100 * turn);
    const auto warp = static_cast<std::int16_t>(start + group::warp_rank_in(members));
    const interval mine{warp, warp, false};
    const interval of_last = heddle::lane_id() == last_lane ? mine : interval{-7, -9, true};
    const bool was_broken = answer.total.is_broken || answer.scanned_total.is_broken;
    answer.total = group::reduce_warps(members, mine, join{}, scratch);
    const auto scanned = group::scan_warps(members, of_last, join{}, scratch);
    answer.before = scanned.before;
    answer.scanned_total = scanned.total;
    const bool is_of_turn = answer.total.first == start && answer.scanned_total.first == start;
    if (was_broken || !is_of_turn) answer.total.is_broken = true;
  }
  return answer;
}

struct meet_in_block {
  __device__ found operator()() const {
    __shared__ group::scratch<interval> scratch;
    return meet(cg::this_thread_block(), scratch);
  }
};

struct meet_in_small_block {
  __device__ found operator()() const {
    __shared__ group::scratch<interval, 64> scratch;
    return meet(cg::this_thread_block(), scratch);
  }
};

struct meet_in_tiles {
  __device__ found operator()() const {
    __shared__ group::scratch<interval, 128> scratch[4];
    const auto tile = cg::tiled_partition<128>(cg::this_thread_block());
    return meet(tile, scratch[tile.meta_group_rank()]);
  }
};

void expect_meeting(const std::vector<found>& answers, int warps_of_group) {
  for (std::size_t thread = 0; thread < answers.size(); ++thread) {
    const found& answer = answers[thread];
    const int warp = static_cast<int>(thread) / 32 % warps_of_group;
    const interval all{200, static_cast<std::int16_t>(200 + warps_of_group - 1), false};
    const interval earlier{200, static_cast<std::int16_t>(200 + warp - 1), false};
    ASSERT_TRUE(answer.total == all) << thread << " of " << answers.size();
    ASSERT_TRUE(answer.scanned_total == all) << thread << " of " << answers.size();
    if (warp > 0) {
      ASSERT_TRUE(answer.before == earlier) << thread << " of " << answers.size();
    }
  }
}

TEST(group_warps, meet_in_blocks_of_every_number_of_warps) {
  for (int warps = 1; warps <= 32; ++warps) {
    expect_meeting(answers_of(meet_in_block{}, 32 * warps), warps);
    expect_meeting(answers_of(meet_in_block{}, 32 * warps - 31), warps);
  }
}

TEST(group_warps, meet_on_a_scratch_for_small_blocks) {
  expect_meeting(answers_of(meet_in_small_block{}, 64), 2);
}

TEST(group_warps, meet_in_tiles_that_do_not_disturb_each_other) {
  expect_meeting(answers_of(meet_in_tiles{}, 512), 4);
}

}  // namespace
