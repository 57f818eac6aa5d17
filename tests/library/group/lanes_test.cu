// group::lanes: members, ranks and predecessors.
#include <heddle/group/lanes.cuh>

#include "support/sides.cuh"

namespace {
using namespace heddle_test;
namespace group = heddle::group;

struct facts {
  heddle::lane_mask mask, callers;
  int rank, size;
};

struct facts_of_lanes {
  const heddle::lane_mask* masks;
  __device__ facts operator()() const {
    const group::lanes some(masks[blockIdx.x]);
    return {some.mask, some.callers(), some.rank(), some.size()};
  }
};

TEST(group_lanes, know_their_members_and_ranks) {
  HEDDLE_NAME_SEED();
  const auto masks = masks_of_interest(seed());
  const device_array<heddle::lane_mask> on_device(masks);
  const auto answers =
      answers_of(facts_of_lanes{on_device.data()}, 32, static_cast<unsigned>(masks.size()));
  for (std::size_t block = 0; block < masks.size(); ++block) {
    int size = 0;
    for (int lane = 0; lane < 32; ++lane) {
      const facts& answer = answers[32 * block + lane];
      EXPECT_EQ(answer.mask, masks[block]);
      EXPECT_EQ(answer.callers, masks[block]);
      EXPECT_EQ(answer.rank, size);
      size += masks[block] >> lane & 1;
    }
    EXPECT_EQ(answers[32 * block].size, size);
  }
}

struct lower_halves {
  heddle::lane_mask at[5];
};

struct find_lower_halves {
  __device__ lower_halves operator()() const {
    return {{group::detail::lower_half(1), group::detail::lower_half(2),
             group::detail::lower_half(4), group::detail::lower_half(8),
             group::detail::lower_half(16)}};
  }
};

// At each distance, the lanes before a lane are split among the lower halves of its blocks.
TEST(group_lanes, have_each_earlier_lane_in_one_lower_half) {
  const auto answers = answers_of(find_lower_halves{});
  for (int lane = 0; lane < 32; ++lane) {
    heddle::lane_mask earlier = 0;
    for (int step = 0; step < 5; ++step) {
      const heddle::lane_mask half = answers[lane].at[step];
      EXPECT_EQ(earlier & half, 0u) << lane;
      for (int other = 0; other < 32; ++other) {
        const bool is_in_block = other >> (step + 1) == lane >> (step + 1);
        const bool is_below = (lane >> step & 1) > (other >> step & 1);
        EXPECT_EQ(half >> other & 1, is_in_block && is_below ? 1u : 0u) << lane << ", " << other;
      }
      earlier |= half;
    }
    EXPECT_EQ(earlier, (1u << lane) - 1) << lane;
  }
}

struct find_last_or_own {
  const heddle::lane_mask* masks;
  __device__ int operator()() const {
    return group::detail::last_or_own(heddle::prefix(masks[blockIdx.x], heddle::lane_id()));
  }
};

TEST(group_lanes, find_the_member_before_them_or_themselves) {
  HEDDLE_NAME_SEED();
  const auto masks = masks_of_interest(seed());
  const device_array<heddle::lane_mask> on_device(masks);
  const auto answers =
      answers_of(find_last_or_own{on_device.data()}, 32, static_cast<unsigned>(masks.size()));
  for (std::size_t block = 0; block < masks.size(); ++block) {
    int expected = -1;
    for (int lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(answers[32 * block + lane], expected < 0 ? lane : expected) << lane;
      if (masks[block] >> lane & 1) expected = lane;
    }
  }
}

struct name_lanes {
  __device__ heddle::lane_mask operator()() const {
    return group::lanes::of(0, 5, 31).mask ^ group::lanes::of(7).mask;
  }
};

TEST(group_lanes, are_named_one_by_one) {
  for (const auto mask : answers_of(name_lanes{})) EXPECT_EQ(mask, 0x800000a1u);
}

}  // namespace
