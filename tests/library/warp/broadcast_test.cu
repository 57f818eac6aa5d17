// warp::broadcast from every lane of tiles of every width, and broadcast_first for random members.
#include <heddle/warp/broadcast.cuh>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::lane_id;
using heddle::lane_mask;

constexpr int widths[] = {1, 2, 4, 8, 16, 32};

struct nine_bytes {
  unsigned char bytes[9];
};
__device__ nine_bytes bytes_of_lane() {
  nine_bytes mine;
  for (int i = 0; i < 9; ++i) mine.bytes[i] = static_cast<unsigned char>(lane_id() * 7 + i);
  return mine;
}

struct six_values {
  int of_width[6];
  nine_bytes bytes;
};

// Each block uses a different source.
struct broadcast_lane_numbers {
  __device__ six_values operator()() const {
    using heddle::warp::broadcast;
    const int source = static_cast<int>(blockIdx.x);
    const int mine = lane_id() + 1000;
    return {{broadcast<1>(mine, source), broadcast<2>(mine, source), broadcast<4>(mine, source),
             broadcast<8>(mine, source), broadcast<16>(mine, source), broadcast(mine, source)},
            broadcast<16>(bytes_of_lane(), source)};
  }
};

TEST(warp_broadcast, gives_a_tile_the_value_of_any_of_its_lanes) {
  const auto answers = answers_of(broadcast_lane_numbers{}, 32, 32);
  for (int source = 0; source < 32; ++source) {
    for (int lane = 0; lane < 32; ++lane) {
      const six_values& answer = answers[source * 32 + lane];
      for (int i = 0; i < 6; ++i) {
        const int width = widths[i];
        EXPECT_EQ(answer.of_width[i], 1000 + lane / width * width + source % width)
            << "lane " << lane << " of tiles of " << width << ", source " << source;
      }
      for (int i = 0; i < 9; ++i) {
        EXPECT_EQ(answer.bytes.bytes[i], (lane / 16 * 16 + source % 16) * 7 + i) << lane;
      }
    }
  }
}

__host__ __device__ lane_mask members_of_round(std::uint64_t seed, unsigned round) {
  const std::uint64_t random = sample_bits(seed, round);
  const auto sparse = static_cast<lane_mask>(random & random >> 32);
  return round == 0 ? heddle::all_lanes : sparse | 1u << round % 32;
}

struct broadcast_the_first {
  std::uint64_t seed;
  __device__ six_values operator()() const {
    using heddle::warp::broadcast_first;
    const lane_mask members = members_of_round(seed, blockIdx.x);
    if (!(members >> lane_id() & 1)) return {};
    const int mine = lane_id() + 1000;
    return {{broadcast_first<1>(mine, members), broadcast_first<2>(mine, members),
             broadcast_first<4>(mine, members), broadcast_first<8>(mine, members),
             broadcast_first<16>(mine, members), broadcast_first(mine, members)},
            broadcast_first(bytes_of_lane(), members)};
  }
};

TEST(warp_broadcast_first, finds_the_first_member_of_a_tile) {
  HEDDLE_NAME_SEED();
  constexpr unsigned rounds = 64;
  const auto answers = answers_of(broadcast_the_first{seed()}, 32, rounds);
  for (unsigned round = 0; round < rounds; ++round) {
    const lane_mask members = members_of_round(seed(), round);
    for (int lane = 0; lane < 32; ++lane) {
      if (!(members >> lane & 1)) continue;
      for (int i = 0; i < 6; ++i) {
        int first = lane / widths[i] * widths[i];
        while (!(members >> first & 1)) ++first;
        EXPECT_EQ(answers[round * 32 + lane].of_width[i], 1000 + first)
            << "lane " << lane << " of tiles of " << widths[i] << ", round " << round;
        if (widths[i] == 32) {
          EXPECT_EQ(answers[round * 32 + lane].bytes.bytes[8], first * 7 + 8) << lane;
        }
      }
    }
  }
}

}  // namespace
