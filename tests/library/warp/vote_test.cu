// Votes of tiles against plain loops over the lanes, for every width and for random sets of
// members.
#include <heddle/warp/vote.cuh>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::lane_id;
using heddle::lane_mask;

constexpr int widths[] = {1, 2, 4, 8, 16, 32};

struct verdict {
  lane_mask ballot;
  int any, all, uniform, count, rank, first;
  friend bool operator==(const verdict& a, const verdict& b) = default;
};

struct verdicts {
  verdict of_width[6];
};

// A round is a set of members and a set of lanes whose predicate is true: all, none, few or many.
__host__ __device__ lane_mask members_of_round(std::uint64_t seed, unsigned round) {
  const auto random = static_cast<lane_mask>(sample_bits(seed, round));
  return round % 3 == 0 ? heddle::all_lanes : random | 1u << round % 32;
}
__host__ __device__ lane_mask predicates_of_round(std::uint64_t seed, unsigned round) {
  const std::uint64_t random = sample_bits(seed + 1, round);
  const auto low = static_cast<lane_mask>(random);
  const auto high = static_cast<lane_mask>(random >> 32);
  const lane_mask choices[] = {low, low & high & high >> 5, low | high | high << 3, 0u, ~0u};
  return choices[round % 5];
}

struct vote_in_every_width {
  std::uint64_t seed;

  template <int width>
  __device__ static verdict vote(bool predicate, lane_mask members) {
    using namespace heddle::warp;
    return {ballot<width>(predicate, members),     any<width>(predicate, members),
            all<width>(predicate, members),        uniform<width>(predicate, members),
            count_true<width>(predicate, members), rank_among_true<width>(predicate, members),
            first_true<width>(predicate, members)};
  }

  __device__ verdicts operator()() const {
    const lane_mask members = members_of_round(seed, blockIdx.x);
    const bool predicate = predicates_of_round(seed, blockIdx.x) >> lane_id() & 1;
    if (!(members >> lane_id() & 1)) return {};
    return {vote<1>(predicate, members),  vote<2>(predicate, members),
            vote<4>(predicate, members),  vote<8>(predicate, members),
            vote<16>(predicate, members), vote<32>(predicate, members)};
  }
};

verdict expected_verdict(lane_mask members, lane_mask predicates, int width, int lane) {
  verdict expected{0, false, true, false, 0, 0, -1};
  bool some_are_false = false;
  for (int other = lane / width * width; other < lane / width * width + width; ++other) {
    if (!(members >> other & 1)) continue;
    if (predicates >> other & 1) {
      expected.ballot |= 1u << other;
      expected.any = true;
      ++expected.count;
      if (other < lane) ++expected.rank;
      if (expected.first < 0) expected.first = other;
    } else {
      expected.all = false;
      some_are_false = true;
    }
  }
  expected.uniform = !(expected.any && some_are_false);
  return expected;
}

TEST(warp_vote, matches_a_loop_over_the_members_of_a_tile) {
  HEDDLE_NAME_SEED();
  constexpr unsigned rounds = 90;
  const auto answers = answers_of(vote_in_every_width{seed()}, 32, rounds);
  for (unsigned round = 0; round < rounds; ++round) {
    const lane_mask members = members_of_round(seed(), round);
    const lane_mask predicates = predicates_of_round(seed(), round);
    for (int lane = 0; lane < 32; ++lane) {
      if (!(members >> lane & 1)) continue;
      for (int i = 0; i < 6; ++i) {
        EXPECT_TRUE(answers[round * 32 + lane].of_width[i] ==
                    expected_verdict(members, predicates, widths[i], lane))
            << "lane " << lane << " of tiles of " << widths[i] << ", round " << round;
      }
    }
  }
}

// Odd lanes vote in one branch, even lanes in another.
struct vote_in_branches {
  __device__ lane_mask operator()() const {
    constexpr lane_mask odd_lanes = 0xaaaaaaaau;
    if (lane_id() % 2 == 1) return heddle::warp::ballot<8>(lane_id() % 3 == 0, odd_lanes);
    return heddle::warp::ballot<16>(lane_id() % 3 == 0, ~odd_lanes);
  }
};

TEST(warp_vote, serves_callers_in_different_branches) {
  const auto answers = answers_of(vote_in_branches{}, 64);
  for (int thread = 0; thread < 64; ++thread) {
    const int lane = thread % 32;
    const int width = lane % 2 == 1 ? 8 : 16;
    lane_mask expected = 0;
    for (int other = lane / width * width; other < lane / width * width + width; ++other) {
      if (other % 2 == lane % 2 && other % 3 == 0) expected |= 1u << other;
    }
    EXPECT_EQ(answers[thread], expected) << thread;
  }
}

}  // namespace
