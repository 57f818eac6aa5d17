// warp::rank_kept and warp::compact against loops over the lanes of a tile, for every width.
#include <heddle/warp/compact.cuh>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::lane_id;
using heddle::lane_mask;

constexpr int widths[] = {1, 2, 4, 8, 16, 32};

// No lane, all lanes, few, many, and each lane alone.
__host__ __device__ lane_mask kept_in_round(std::uint64_t seed, unsigned round) {
  const std::uint64_t random = sample_bits(seed, round);
  const auto low = static_cast<lane_mask>(random);
  const auto high = static_cast<lane_mask>(random >> 32);
  if (round < 32) return 1u << round;
  if (round < 34) return round == 32 ? 0 : ~0u;
  return round % 3 == 0 ? low & high : round % 3 == 1 ? low | high : low;
}

struct six_places {
  heddle::warp::kept_place place[6];
  heddle::warp::compacted<int> kept[6];
};

struct compact_in_every_width {
  std::uint64_t seed;
  template <int width>
  __device__ static void compact(bool keep, int i, six_places& answer) {
    answer.place[i] = heddle::warp::rank_kept<width>(keep);
    answer.kept[i] = heddle::warp::compact<width>(lane_id() + 1000, keep);
  }
  __device__ six_places operator()() const {
    const bool keep = kept_in_round(seed, blockIdx.x) >> lane_id() & 1;
    six_places answer;
    compact<1>(keep, 0, answer);
    compact<2>(keep, 1, answer);
    compact<4>(keep, 2, answer);
    compact<8>(keep, 3, answer);
    compact<16>(keep, 4, answer);
    compact<32>(keep, 5, answer);
    return answer;
  }
};

TEST(warp_compact, moves_the_kept_values_to_the_first_lanes_in_their_order) {
  HEDDLE_NAME_SEED();
  constexpr unsigned rounds = 150;
  const auto answers = answers_of(compact_in_every_width{seed()}, 32, rounds);
  for (unsigned round = 0; round < rounds; ++round) {
    const lane_mask kept = kept_in_round(seed(), round);
    for (int lane = 0; lane < 32; ++lane) {
      for (int i = 0; i < 6; ++i) {
        const int first = lane / widths[i] * widths[i];
        std::vector<int> kept_lanes;
        int before = 0;
        for (int other = first; other < first + widths[i]; ++other) {
          if (!(kept >> other & 1)) continue;
          kept_lanes.push_back(other);
          before += other < lane;
        }
        const int total = static_cast<int>(kept_lanes.size());
        const int value = 1000 + (lane - first < total ? kept_lanes[lane - first] : lane);
        const six_places& answer = answers[round * 32 + lane];
        EXPECT_EQ(answer.place[i].rank, before) << lane << ", round " << round;
        EXPECT_EQ(answer.place[i].total, total) << lane << ", round " << round;
        EXPECT_EQ(answer.kept[i].total, total) << lane << ", round " << round;
        EXPECT_EQ(answer.kept[i].value, value)
            << "lane " << lane << " of tiles of " << widths[i] << ", round " << round;
      }
    }
  }
}

struct twenty_bytes {
  unsigned char bytes[20];
};

// The two halves of the warp compact in different branches, the lower one in tiles of 8.
struct compact_in_branches {
  __device__ twenty_bytes operator()() const {
    twenty_bytes mine;
    for (int i = 0; i < 20; ++i) mine.bytes[i] = static_cast<unsigned char>(lane_id() * 3 + i);
    if (lane_id() < 16) {
      return heddle::warp::compact<8>(mine, lane_id() % 2 == 1, 0x0000ffffu).value;
    }
    return heddle::warp::compact<16>(mine, lane_id() % 4 == 3, 0xffff0000u).value;
  }
};

TEST(warp_compact, moves_structs_for_callers_in_different_branches) {
  const auto answers = answers_of(compact_in_branches{});
  for (int lane = 0; lane < 32; ++lane) {
    int source = lane;
    if (lane < 16 && lane % 8 < 4) source = lane / 8 * 8 + lane % 8 * 2 + 1;
    if (lane >= 16 && lane < 20) source = 16 + (lane - 16) * 4 + 3;
    for (int i = 0; i < 20; ++i) EXPECT_EQ(answers[lane].bytes[i], source * 3 + i) << lane;
  }
}

// Any set of members can rank.
struct rank_some {
  __device__ int operator()() const {
    constexpr lane_mask members = 0x80010021u;
    if (!(members >> lane_id() & 1)) return -1;
    const auto place = heddle::warp::rank_kept(lane_id() != 5, members);
    return place.total * 100 + place.rank;
  }
};

TEST(warp_rank_kept, counts_among_any_members) {
  const auto answers = answers_of(rank_some{});
  EXPECT_EQ(answers[0], 300);
  EXPECT_EQ(answers[5], 301);
  EXPECT_EQ(answers[16], 301);
  EXPECT_EQ(answers[31], 302);
}

}  // namespace
