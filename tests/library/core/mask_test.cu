// Sets of lanes against plain loops over their bits.
#include <heddle/core/mask.cuh>

#include <bitset>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;

struct facts {
  int count, first, last, my_rank, next, previous, lane_of_my_rank;
  heddle::lane_mask before_me, tile_of_8;
  bool has_me;
};

struct ask_mask {
  heddle::lane_mask members;
  __device__ facts operator()() const {
    const int lane = heddle::lane_id();
    const int rank = heddle::rank(members, lane);
    return {heddle::count(members),
            heddle::first_lane(members),
            heddle::last_lane(members),
            heddle::rank(members) == rank ? rank : -100,
            heddle::next_lane(members, lane),
            heddle::previous_lane(members, lane),
            heddle::contains(members, lane) ? heddle::lane_of_rank(members, rank) : lane,
            heddle::prefix(members, lane),
            heddle::tile_of<8>(lane),
            heddle::contains(members, lane)};
  }
};

void expect_right_answers(heddle::lane_mask members) {
  const std::bitset<32> bits(members);
  const auto answers = answers_of(ask_mask{members});
  int first = -1, last = -1;
  for (int lane = 0; lane < 32; ++lane) {
    if (!bits[lane]) continue;
    if (first < 0) first = lane;
    last = lane;
  }
  for (int lane = 0; lane < 32; ++lane) {
    SCOPED_TRACE("lane " + std::to_string(lane) + " of mask " + std::to_string(members));
    int before = 0, next = -1, previous = -1;
    for (int other = 0; other < 32; ++other) {
      if (!bits[other]) continue;
      if (other < lane) ++before, previous = other;
      if (other > lane && next < 0) next = other;
    }
    const facts& answer = answers[lane];
    EXPECT_EQ(answer.count, static_cast<int>(bits.count()));
    EXPECT_EQ(answer.first, first);
    EXPECT_EQ(answer.last, last);
    EXPECT_EQ(answer.my_rank, before);
    EXPECT_EQ(answer.next, next);
    EXPECT_EQ(answer.previous, previous);
    EXPECT_EQ(answer.lane_of_my_rank, lane);
    EXPECT_EQ(answer.before_me, members & ((1ull << lane) - 1));
    EXPECT_EQ(answer.tile_of_8, 0xffu << lane / 8 * 8);
    EXPECT_EQ(answer.has_me, bits[lane]);
  }
}

TEST(masks, answer_for_no_lane_every_lane_and_each_single_lane) {
  expect_right_answers(0);
  expect_right_answers(heddle::all_lanes);
  for (int lane = 0; lane < 32; ++lane) expect_right_answers(1u << lane);
}

TEST(masks, answer_for_random_sets) {
  HEDDLE_NAME_SEED();
  for (int i = 0; i < 200; ++i) expect_right_answers(sample<std::uint32_t>(seed(), i));
}

struct place {
  int lane, thread, block, warp, warps;
  heddle::lane_mask with_thread;
};

struct ask_place {
  __device__ place operator()() const {
    return {heddle::lane_id(),   heddle::thread_rank(), heddle::block_size(),
            heddle::warp_rank(), heddle::warp_count(),  heddle::lanes_with_thread()};
  }
};

TEST(lanes, know_their_place_in_blocks_of_any_shape) {
  for (const dim3 shape : {dim3(1), dim3(31), dim3(32), dim3(33), dim3(7, 5, 3), dim3(1, 1, 64),
                           dim3(3, 100, 2), dim3(1024)}) {
    const int threads = static_cast<int>(shape.x * shape.y * shape.z);
    const auto answers = answers_of(ask_place{}, shape);
    for (int thread = 0; thread < threads; ++thread) {
      SCOPED_TRACE("thread " + std::to_string(thread) + " of " + std::to_string(threads));
      const place& answer = answers[thread];
      EXPECT_EQ(answer.lane, thread % 32);
      EXPECT_EQ(answer.thread, thread);
      EXPECT_EQ(answer.block, threads);
      EXPECT_EQ(answer.warp, thread / 32);
      EXPECT_EQ(answer.warps, (threads + 31) / 32);
      heddle::lane_mask expected = 0;
      for (int lane = 0; lane < 32 && thread / 32 * 32 + lane < threads; ++lane) {
        expected |= 1u << lane;
      }
      EXPECT_EQ(answer.with_thread, expected);
    }
  }
}

}  // namespace
