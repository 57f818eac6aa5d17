// group::lanes: members, ranks, and the distances at which its members meet.
#include <heddle/group/lanes.cuh>

#include "support/sides.cuh"

namespace {
using namespace heddle_test;
namespace group = heddle::group;

struct facts {
  heddle::lane_mask mask, callers, distances;
  int rank, size;
};

struct tell_facts {
  const heddle::lane_mask* masks;
  __device__ facts operator()() const {
    const group::lanes some(masks[blockIdx.x]);
    return {some.mask, some.callers(), some.distances(), some.rank(), some.size()};
  }
};

bool some_meet(heddle::lane_mask mask, int distance) {
  for (int a = 0; a < 32; ++a) {
    for (int b = 0; b < 32; ++b) {
      const bool are_members = (mask >> a & 1) != 0 && (mask >> b & 1) != 0;
      const bool are_in_halves = a / distance + 1 == b / distance && a / distance % 2 == 0;
      if (are_members && are_in_halves) return true;
    }
  }
  return false;
}

TEST(group_lanes, know_their_members_and_where_these_meet) {
  HEDDLE_NAME_SEED();
  const auto masks = masks_of_interest(seed());
  const device_array<heddle::lane_mask> on_device(masks);
  const auto answers =
      answers_of(tell_facts{on_device.data()}, 32, static_cast<unsigned>(masks.size()));
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
    for (int distance = 1; distance < 32; distance *= 2) {
      EXPECT_EQ((answers[32 * block].distances & distance) != 0, some_meet(masks[block], distance))
          << std::hex << masks[block] << " at " << distance;
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
