// warp::match_any and match_all against loops that compare the lanes of a tile byte for byte.
#include <heddle/warp/match.cuh>

#include <cstring>
#include <limits>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::lane_id;
using heddle::lane_mask;

constexpr int widths[] = {1, 2, 4, 8, 16, 32};

struct matches {
  lane_mask any[6], all[6];
};

__host__ __device__ lane_mask members_of_round(std::uint64_t seed, unsigned round) {
  const auto random = static_cast<lane_mask>(sample_bits(seed, round));
  return round % 3 == 0 ? heddle::all_lanes : random | 1u << round % 32;
}

// A lane's value in a round: one of few values that differ in one byte only. In some rounds all
// lanes of a tile hold the same.
template <typename T>
__host__ __device__ T value_in_round(std::uint64_t seed, unsigned round, int lane) {
  const unsigned kinds = round % 4 == 0 ? 1 : round % 4 == 1 ? 2 : 5;
  const int shared_by = 1 << round % 6;  // neighbours that hold the same
  const auto kind = sample_bits(seed + round, lane / shared_by) % kinds;
  const auto place = sample_bits(seed, round) % sizeof(T);
  unsigned char bytes[sizeof(T)];
  for (std::size_t i = 0; i < sizeof(T); ++i) bytes[i] = static_cast<unsigned char>(17 + i);
  bytes[place] = static_cast<unsigned char>(200 + kind);
  if constexpr (std::is_same_v<T, bool>) bytes[0] = kind % 2 != 0;
  T value;
  memcpy(&value, bytes, sizeof(T));
  return value;
}

template <typename T>
struct match_in_every_width {
  std::uint64_t seed;
  template <int width>
  __device__ static void match(const T& value, lane_mask members, int place, matches& found) {
    found.any[place] = heddle::warp::match_any<width>(value, members);
    found.all[place] = heddle::warp::match_all<width>(value, members);
  }
  __device__ matches operator()() const {
    const lane_mask members = members_of_round(seed, blockIdx.x);
    const T value = value_in_round<T>(seed, blockIdx.x, lane_id());
    matches found{};
    if (!(members >> lane_id() & 1)) return found;
    match<1>(value, members, 0, found);
    match<2>(value, members, 1, found);
    match<4>(value, members, 2, found);
    match<8>(value, members, 3, found);
    match<16>(value, members, 4, found);
    match<32>(value, members, 5, found);
    return found;
  }
};

template <typename T>
void expect_matches() {
  HEDDLE_NAME_SEED();
  constexpr unsigned rounds = 48;
  const auto answers = answers_of(match_in_every_width<T>{seed()}, 32, rounds);
  for (unsigned round = 0; round < rounds; ++round) {
    const lane_mask members = members_of_round(seed(), round);
    T values[32];
    for (int lane = 0; lane < 32; ++lane) values[lane] = value_in_round<T>(seed(), round, lane);
    for (int lane = 0; lane < 32; ++lane) {
      if (!(members >> lane & 1)) continue;
      for (int i = 0; i < 6; ++i) {
        const int first = lane / widths[i] * widths[i];
        lane_mask peers = 0, tile = 0;
        for (int other = first; other < first + widths[i]; ++other) {
          if (!(members >> other & 1)) continue;
          tile |= 1u << other;
          if (std::memcmp(&values[lane], &values[other], sizeof(T)) == 0) peers |= 1u << other;
        }
        const matches& found = answers[round * 32 + lane];
        EXPECT_EQ(found.any[i], peers)
            << "lane " << lane << " of tiles of " << widths[i] << ", round " << round;
        EXPECT_EQ(found.all[i], peers == tile ? tile : 0)
            << "lane " << lane << " of tiles of " << widths[i] << ", round " << round;
      }
    }
  }
}

template <int size>
struct bytes_of {
  unsigned char bytes[size];
};

TEST(warp_match, finds_peers_among_bools) { expect_matches<bool>(); }
TEST(warp_match, finds_peers_among_1_byte_values) { expect_matches<std::uint8_t>(); }
TEST(warp_match, finds_peers_among_3_byte_values) { expect_matches<bytes_of<3>>(); }
TEST(warp_match, finds_peers_among_4_byte_values) { expect_matches<std::int32_t>(); }
TEST(warp_match, finds_peers_among_8_byte_values) { expect_matches<std::int64_t>(); }
TEST(warp_match, finds_peers_among_12_byte_values) { expect_matches<bytes_of<12>>(); }
TEST(warp_match, finds_peers_among_37_byte_values) { expect_matches<bytes_of<37>>(); }
TEST(warp_match, finds_peers_among_64_byte_values) { expect_matches<bytes_of<64>>(); }

struct match_given {
  float values[32];
  __device__ lane_mask operator()() const { return heddle::warp::match_any(values[lane_id()]); }
};

TEST(warp_match, compares_bits_so_zeros_differ_and_nan_equals_itself) {
  match_given some{};
  for (int lane = 0; lane < 32; ++lane) {
    some.values[lane] = lane % 3 == 0   ? 0.0f
                        : lane % 3 == 1 ? -0.0f
                                        : std::numeric_limits<float>::quiet_NaN();
  }
  const auto answers = answers_of(some);
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(answers[lane], 0x49249249u << lane % 3) << lane;
  }
}

// Odd lanes match in one branch, even lanes in another.
struct match_in_branches {
  __device__ lane_mask operator()() const {
    constexpr lane_mask odd_lanes = 0xaaaaaaaau;
    if (lane_id() % 2 == 1) return heddle::warp::match_any<16>(lane_id() / 4 % 2, odd_lanes);
    return heddle::warp::match_all<4>(lane_id() / 8, ~odd_lanes);
  }
};

TEST(warp_match, serves_callers_in_different_branches) {
  const auto answers = answers_of(match_in_branches{}, 64);
  for (int thread = 0; thread < 64; ++thread) {
    const int lane = thread % 32;
    if (lane % 2 == 0) {
      EXPECT_EQ(answers[thread], 5u << lane / 4 * 4) << thread;
    } else {
      EXPECT_EQ(answers[thread], (lane / 4 % 2 == 0 ? 0x0a0au : 0xa0a0u) << lane / 16 * 16)
          << thread;
    }
  }
}

}  // namespace
