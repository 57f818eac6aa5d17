// Sums of half and bfloat16 in float; sums in the short types themselves are less accurate.
#include <heddle/warp/mixed_sum.cuh>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
namespace warp = heddle::warp;
using heddle::lane_id;

// What sum() must not do.
struct add_in_own_type {
  template <typename T>
  __device__ T operator()(const T& a, const T& b) const {
    return __hadd(a, b);
  }
};

struct results {
  float half, half_pair, bfloat, bfloat_pair;  // sums over 32 lanes, in float
  float half_of_eight;
  float in_half, in_bfloat;  // sums of the single values, in their own types
};

// Lane i contributes values[i], and the pair of values[i] and values[i + 32].
struct add_short_floats {
  float values[64];
  __device__ results operator()() const {
    const float first = values[lane_id()], second = values[lane_id() + 32];
    const __half half = __float2half(first);
    const __nv_bfloat16 bfloat = __float2bfloat16(first);
    return {warp::sum(half),
            warp::sum(__floats2half2_rn(first, second)),
            warp::sum(bfloat),
            warp::sum(__floats2bfloat162_rn(first, second)),
            warp::sum<8>(half),
            __half2float(warp::reduce(half, add_in_own_type{})),
            __bfloat162float(warp::reduce(bfloat, add_in_own_type{}))};
  }
};

// Adds as warp::reduce does: a tree of neighbours.
float tree_of(std::vector<float> values) {
  for (std::size_t step = 1; step < values.size(); step *= 2) {
    for (std::size_t i = 0; i < values.size(); i += 2 * step) values[i] += values[i + step];
  }
  return values[0];
}

TEST(warp_sum, converts_before_the_first_addition) {
  add_short_floats ones_and_more{};
  for (float& value : ones_and_more.values) value = 1.0f;
  ones_and_more.values[0] = 2048.0f;  // half cannot add 1 to it; bfloat16 already stops at 256
  for (const results& answer : answers_of(ones_and_more)) {
    EXPECT_EQ(answer.half, 2048.0f + 31);
    EXPECT_EQ(answer.bfloat, 2048.0f + 31);
    EXPECT_EQ(answer.half_pair, 2048.0f + 63);
    EXPECT_EQ(answer.bfloat_pair, 2048.0f + 63);
    EXPECT_NE(answer.in_half, 2048.0f + 31);
    EXPECT_NE(answer.in_bfloat, 2048.0f + 31);
  }
}

TEST(warp_sum, does_not_overflow_where_half_would) {
  add_short_floats large{};
  for (float& value : large.values) value = 65504.0f;
  for (const results& answer : answers_of(large)) {
    EXPECT_EQ(answer.half, 32 * 65504.0f);
    EXPECT_EQ(answer.half_pair, 64 * 65504.0f);
    EXPECT_GT(answer.in_half, 65504.0f);
  }
}

TEST(warp_sum, is_the_sum_in_float_of_the_converted_values) {
  HEDDLE_NAME_SEED();
  add_short_floats random{};
  for (int i = 0; i < 64; ++i) random.values[i] = sample<float>(seed(), i);
  std::vector<float> halves, bfloats, half_pairs, bfloat_pairs;
  for (int i = 0; i < 32; ++i) {
    const float first = random.values[i], second = random.values[i + 32];
    halves.push_back(__half2float(__float2half(first)));
    bfloats.push_back(__bfloat162float(__float2bfloat16(first)));
    half_pairs.push_back(halves[i] + __half2float(__float2half(second)));
    bfloat_pairs.push_back(bfloats[i] + __bfloat162float(__float2bfloat16(second)));
  }
  const auto answers = answers_of(random);
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(answers[lane].half, tree_of(halves)) << lane;
    EXPECT_EQ(answers[lane].bfloat, tree_of(bfloats)) << lane;
    EXPECT_EQ(answers[lane].half_pair, tree_of(half_pairs)) << lane;
    EXPECT_EQ(answers[lane].bfloat_pair, tree_of(bfloat_pairs)) << lane;
    const auto tile = halves.begin() + lane / 8 * 8;
    EXPECT_EQ(answers[lane].half_of_eight, tree_of({tile, tile + 8})) << lane;
  }
}

// Even tiles of four lanes add in one branch, odd ones in another.
struct add_in_branches {
  __device__ float in_own_branch() const {
    constexpr heddle::lane_mask even_tiles = 0x0f0f0f0fu;
    const auto lane = static_cast<float>(lane_id());
    if (lane_id() / 4 % 2 == 0) return warp::sum<4>(__float2half(lane), even_tiles);
    float answer = 0;
    for (int call = 0; call < 2; ++call) {
      answer = -warp::sum<4>(__floats2bfloat162_rn(lane, 1.0f), ~even_tiles);
    }
    return answer;
  }
  // All lanes synchronise afterwards, so a branch that waits for the other one would hang: the
  // other one calls twice.
  __device__ float operator()() const {
    const float answer = in_own_branch();
    __syncwarp();
    return answer;
  }
};

TEST(warp_sum, serves_callers_in_different_branches) {
  const auto answers = answers_of(add_in_branches{}, 64);
  for (int thread = 0; thread < 64; ++thread) {
    const int first = thread % 32 / 4 * 4, sum = 4 * first + 6;
    EXPECT_EQ(answers[thread], static_cast<float>(first / 4 % 2 == 0 ? sum : -(sum + 4))) << thread;
  }
}

}  // namespace
