// The identity of a lane, in blocks of all shapes and with partial warps.
#include <heddle/core/lane.cuh>

#include "support/on_device.cuh"

namespace {
using namespace heddle;
using heddle_test::answers_of;

static_assert(is_tile_width<1> && is_tile_width<8> && is_tile_width<32>);
static_assert(!is_tile_width<0> && !is_tile_width<12> && !is_tile_width<64> && !is_tile_width<-8>);

struct identity_of_lane {
  int lane, rank, size, warp, warps;
  lane_mask with_thread;
};
struct read_identity {
  __device__ identity_of_lane operator()() const {
    return {lane_id(), thread_rank(), block_size(), warp_rank(), warp_count(), lanes_with_thread()};
  }
};

// Results are in the order of thread numbers: along x, then y, then z.
void expect_right_identities(dim3 block) {
  const auto answers = answers_of(read_identity{}, block);
  const int size = static_cast<int>(block.x * block.y * block.z);
  ASSERT_EQ(answers.size(), static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) {
    const auto& found = answers[static_cast<std::size_t>(i)];
    ASSERT_EQ(found.rank, i);
    ASSERT_EQ(found.size, size);
    ASSERT_EQ(found.lane, i % 32) << "thread " << i;
    ASSERT_EQ(found.warp, i / 32) << "thread " << i;
    ASSERT_EQ(found.warps, (size + 31) / 32);
    lane_mask mates = 0;
    for (int other = i / 32 * 32; other < size && other < i / 32 * 32 + 32; ++other) {
      mates |= lane_mask{1} << other % 32;
    }
    ASSERT_EQ(found.with_thread, mates) << "thread " << i;
  }
}

TEST(core_lane, knows_its_place_in_blocks_of_every_size) {
  for (unsigned threads = 1; threads <= 1024;
       threads = threads < 100 ? threads + 1 : threads + 77) {
    SCOPED_TRACE(threads);
    expect_right_identities(threads);
  }
  expect_right_identities(1024);
}

TEST(core_lane, counts_threads_along_x_then_y_then_z) {
  for (const dim3 block :
       {dim3(3, 5, 7), dim3(1, 1, 33), dim3(2, 64), dim3(31, 2, 1), dim3(8, 8, 8)}) {
    SCOPED_TRACE(block.x);
    expect_right_identities(block);
  }
}

// In turn, a different lane is the only one that agrees.
struct ask_whether_any_agrees {
  int lane_that_does;  // in the second warp; -1: none
  __device__ int operator()() const {
    return agreed(warp_rank() == 1 && lane_id() == lane_that_does);
  }
};

TEST(core_lane, agrees_if_one_lane_of_the_same_warp_does) {
  for (const int lane : {-1, 0, 17, 31}) {
    const auto answers = answers_of(ask_whether_any_agrees{lane}, 96);
    for (int i = 0; i < 96; ++i) {
      ASSERT_EQ(answers[static_cast<std::size_t>(i)], lane >= 0 && i / 32 == 1 ? 1 : 0)
          << "thread " << i;
    }
  }
}

}  // namespace
