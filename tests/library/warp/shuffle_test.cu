// warp::rotate and warp::reverse against plain arithmetic on lane numbers, for every width.
#include <heddle/warp/shuffle.cuh>

#include <limits>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::lane_id;
using heddle::lane_mask;

constexpr int widths[] = {1, 2, 4, 8, 16, 32};

struct six_values {
  int of_width[6];
};

// Each block rotates by its own distance; every lane passes its number and gets its source's.
struct rotate_lane_numbers {
  int first_distance;
  __device__ six_values operator()() const {
    using heddle::warp::rotate;
    const int distance = first_distance + static_cast<int>(blockIdx.x);
    const int mine = lane_id() + 1000;
    return {rotate<1>(mine, distance), rotate<2>(mine, distance),  rotate<4>(mine, distance),
            rotate<8>(mine, distance), rotate<16>(mine, distance), rotate(mine, distance)};
  }
};

void expect_rotations(int first_distance, unsigned distances) {
  const auto answers = answers_of(rotate_lane_numbers{first_distance}, 32, distances);
  for (unsigned round = 0; round < distances; ++round) {
    const long long distance = static_cast<long long>(first_distance) + round;
    for (int lane = 0; lane < 32; ++lane) {
      for (int i = 0; i < 6; ++i) {
        const int width = widths[i];
        const long long place = ((lane % width + distance) % width + width) % width;
        EXPECT_EQ(answers[round * 32 + lane].of_width[i], 1000 + lane / width * width + place)
            << "lane " << lane << " of tiles of " << width << ", distance " << distance;
      }
    }
  }
}

TEST(warp_rotate, wraps_around_the_tile_for_every_width_and_distance) {
  expect_rotations(-70, 141);
}

TEST(warp_rotate, takes_the_largest_distances) {
  expect_rotations(std::numeric_limits<int>::max() - 40, 41);
  expect_rotations(std::numeric_limits<int>::min(), 41);
}

// Each lane uses a different distance.
struct rotate_each_its_own_way {
  __device__ int operator()() const {
    return heddle::warp::rotate<16>(lane_id(), lane_id() * lane_id());
  }
};

TEST(warp_rotate, takes_a_distance_for_each_lane) {
  const auto answers = answers_of(rotate_each_its_own_way{});
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(answers[lane], lane / 16 * 16 + (lane + lane * lane) % 16) << lane;
  }
}

struct reverse_lane_numbers {
  __device__ six_values operator()() const {
    using heddle::warp::reverse;
    const int mine = lane_id() + 1000;
    return {reverse<1>(mine), reverse<2>(mine),  reverse<4>(mine),
            reverse<8>(mine), reverse<16>(mine), reverse(mine)};
  }
};

TEST(warp_reverse, mirrors_every_tile) {
  const auto answers = answers_of(reverse_lane_numbers{}, 64);
  for (int thread = 0; thread < 64; ++thread) {
    const int lane = thread % 32;
    for (int i = 0; i < 6; ++i) {
      const int width = widths[i];
      EXPECT_EQ(answers[thread].of_width[i], 1000 + lane / width * width + width - 1 - lane % width)
          << "lane " << lane << " of tiles of " << width;
    }
  }
}

struct nineteen_bytes {
  unsigned char bytes[19];
};

// The first half of the warp rotates, the second half reverses, each in its own branch.
struct move_structs_in_branches {
  __device__ nineteen_bytes operator()() const {
    nineteen_bytes mine;
    for (int i = 0; i < 19; ++i) mine.bytes[i] = static_cast<unsigned char>(lane_id() * 5 + i);
    if (lane_id() < 16) return heddle::warp::rotate<8>(mine, 3, 0x0000ffffu);
    return heddle::warp::reverse<4>(mine, 0xffff0000u);
  }
};

TEST(warp_rotate, takes_structs_and_callers_in_different_branches) {
  const auto answers = answers_of(move_structs_in_branches{});
  for (int lane = 0; lane < 32; ++lane) {
    const int source = lane < 16 ? lane / 8 * 8 + (lane + 3) % 8 : lane / 4 * 4 + 3 - lane % 4;
    for (int i = 0; i < 19; ++i) EXPECT_EQ(answers[lane].bytes[i], source * 5 + i) << lane;
  }
}

struct shuffle_by_the_name_in_warp {
  __device__ int operator()() const {
    using namespace heddle::warp;
    const int mine = lane_id();
    return shuffle(heddle::all_lanes, mine, 7) + 100 * shuffle_up(heddle::all_lanes, mine, 1) +
           10000 * shuffle_down(heddle::all_lanes, mine, 2) +
           1000000 * shuffle_xor(heddle::all_lanes, mine, 5);
  }
};

TEST(warp_shuffle, exports_the_shuffles_of_core) {
  const auto answers = answers_of(shuffle_by_the_name_in_warp{});
  for (int lane = 0; lane < 32; ++lane) {
    const int up = lane == 0 ? 0 : lane - 1;
    const int down = lane < 30 ? lane + 2 : lane;
    EXPECT_EQ(answers[lane], 7 + 100 * up + 10000 * down + 1000000 * (lane ^ 5)) << lane;
  }
}

}  // namespace
