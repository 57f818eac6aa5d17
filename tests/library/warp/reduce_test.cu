// warp::reduce, reduce_to_first and reduce_rows against plain loops over the lanes of a tile.
#include <heddle/warp/reduce.cuh>

#include <cmath>
#include <limits>

#include "support/on_device.cuh"
#include "support/operators.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::lane_id;

template <typename T, typename Op>
std::vector<T> fold_tiles(const std::vector<T>& values, int width, Op op) {
  std::vector<T> folded(values.size());
  for (std::size_t first = 0; first < values.size(); first += width) {
    T result = values[first];
    for (int i = 1; i < width; ++i) result = op(result, values[first + i]);
    for (int i = 0; i < width; ++i) folded[first + i] = result;
  }
  return folded;
}

constexpr int widths[6]{1, 2, 4, 8, 16, 32};

template <typename T>
struct one_for_each_width {
  T values[6];
};

template <typename T, typename Op>
struct reduce_samples {
  std::uint64_t seed;
  __device__ one_for_each_width<T> operator()() const {
    const T mine = sample<T>(seed, threadIdx.x);
    return {heddle::warp::reduce<1>(mine, Op{}),  heddle::warp::reduce<2>(mine, Op{}),
            heddle::warp::reduce<4>(mine, Op{}),  heddle::warp::reduce<8>(mine, Op{}),
            heddle::warp::reduce<16>(mine, Op{}), heddle::warp::reduce<32>(mine, Op{})};
  }
};

template <typename T>
std::vector<T> samples(std::uint64_t seed, int count) {
  std::vector<T> values(count);
  for (int i = 0; i < count; ++i) values[i] = sample<T>(seed, i);
  return values;
}

template <typename T, typename Op>
void expect_exact_reduction_of_every_width() {
  const auto answers = answers_of(reduce_samples<T, Op>{seed()}, 64);
  for (int i = 0; i < 6; ++i) {
    const auto expected = fold_tiles(samples<T>(seed(), 64), widths[i], Op{});
    for (int thread = 0; thread < 64; ++thread) {
      EXPECT_EQ(answers[thread].values[i], expected[thread])
          << "thread " << thread << ", width " << widths[i] << ", " << __PRETTY_FUNCTION__;
    }
  }
}

template <typename T>
void expect_exact_integer_reductions() {
  expect_exact_reduction_of_every_width<T, heddle::plus>();
  expect_exact_reduction_of_every_width<T, heddle::multiplies>();
  expect_exact_reduction_of_every_width<T, heddle::minimum>();
  expect_exact_reduction_of_every_width<T, heddle::maximum>();
  expect_exact_reduction_of_every_width<T, heddle::bit_and>();
  expect_exact_reduction_of_every_width<T, heddle::bit_or>();
  expect_exact_reduction_of_every_width<T, heddle::bit_xor>();
  expect_exact_reduction_of_every_width<T, heddle::logical_and>();
  expect_exact_reduction_of_every_width<T, heddle::logical_or>();
  expect_exact_reduction_of_every_width<T, heddle::logical_xor>();
}

TEST(warp_reduce, is_exact_for_8_bit_integers) {
  HEDDLE_NAME_SEED();
  expect_exact_integer_reductions<std::int8_t>();
}

TEST(warp_reduce, is_exact_for_32_bit_integers) {
  HEDDLE_NAME_SEED();
  expect_exact_integer_reductions<std::int32_t>();
  expect_exact_integer_reductions<std::uint32_t>();
}

TEST(warp_reduce, is_exact_for_64_bit_integers) {
  HEDDLE_NAME_SEED();
  expect_exact_integer_reductions<std::int64_t>();
}

TEST(warp_reduce, is_exact_for_the_extremes_of_floating_point_numbers) {
  HEDDLE_NAME_SEED();
  expect_exact_reduction_of_every_width<float, heddle::minimum>();
  expect_exact_reduction_of_every_width<float, heddle::maximum>();
  expect_exact_reduction_of_every_width<double, heddle::minimum>();
  expect_exact_reduction_of_every_width<double, heddle::maximum>();
}

TEST(warp_reduce, sums_floats_as_a_tree_of_neighbours) {
  HEDDLE_NAME_SEED();
  const auto values = samples<float>(seed(), 64);
  const auto answers = answers_of(reduce_samples<float, heddle::plus>{seed()}, 64);
  for (int first = 0; first < 64; first += 32) {
    std::vector<float> tree(values.begin() + first, values.begin() + first + 32);
    for (int step = 1; step < 32; step *= 2) {
      for (int i = 0; i < 32; i += 2 * step) tree[i] += tree[i + step];
    }
    for (int lane = 0; lane < 32; ++lane)
      EXPECT_EQ(answers[first + lane].values[5], tree[0]) << lane;
  }
}

template <int width, bool to_first>
struct reduce_intervals {
  __device__ interval operator()() const {
    const auto lane = static_cast<std::int16_t>(lane_id());
    const interval mine{lane, lane, false};
    if constexpr (to_first) return heddle::warp::reduce_to_first<width>(mine, join{});
    return heddle::warp::reduce<width>(mine, join{});
  }
};

template <int width>
void expect_lane_order() {
  const auto everywhere = answers_of(reduce_intervals<width, false>{});
  const auto at_first = answers_of(reduce_intervals<width, true>{});
  for (std::int16_t lane = 0; lane < 32; ++lane) {
    const auto first = static_cast<std::int16_t>(lane / width * width);
    const interval expected{first, static_cast<std::int16_t>(first + width - 1), false};
    EXPECT_TRUE(everywhere[lane] == expected) << "lane " << lane << " of tiles of " << width;
    if (lane == first) {
      EXPECT_TRUE(at_first[lane] == expected) << "lane " << lane << " of tiles of " << width;
    }
  }
}

TEST(warp_reduce, keeps_lane_order_when_the_operator_does_not_commute) {
  expect_lane_order<1>();
  expect_lane_order<2>();
  expect_lane_order<4>();
  expect_lane_order<8>();
  expect_lane_order<16>();
  expect_lane_order<32>();
}

struct sixty_four_bytes {
  double sums[7];
  std::uint32_t largest;
  char mark;
};

struct add_all {
  __host__ __device__ sixty_four_bytes operator()(const sixty_four_bytes& a,
                                                  const sixty_four_bytes& b) const {
    sixty_four_bytes sum = a;
    for (int i = 0; i < 7; ++i) sum.sums[i] += b.sums[i];
    sum.largest = a.largest < b.largest ? b.largest : a.largest;
    return sum;
  }
};

struct reduce_structs {
  __device__ sixty_four_bytes operator()() const {
    sixty_four_bytes mine{};
    for (int i = 0; i < 7; ++i) mine.sums[i] = lane_id() * 1000 + i;
    mine.largest = static_cast<std::uint32_t>(lane_id() * 37 % 32);
    mine.mark = 'x';
    return heddle::warp::reduce<16>(mine, add_all{});
  }
};

TEST(warp_reduce, takes_structs_of_64_bytes) {
  static_assert(sizeof(sixty_four_bytes) == 64);
  const auto answers = answers_of(reduce_structs{});
  for (int lane = 0; lane < 32; ++lane) {
    const int first = lane / 16 * 16;
    for (int i = 0; i < 7; ++i) {
      EXPECT_EQ(answers[lane].sums[i], (first * 16 + 120) * 1000 + 16 * i) << lane;
    }
    std::uint32_t largest = 0;
    for (int other = first; other < first + 16; ++other) {
      largest = std::max(largest, static_cast<std::uint32_t>(other * 37 % 32));
    }
    EXPECT_EQ(answers[lane].largest, largest);
    EXPECT_EQ(answers[lane].mark, 'x');
  }
}

// Even tiles reduce in one branch, odd ones in another.
struct reduce_in_branches {
  __device__ int operator()() const {
    constexpr heddle::lane_mask even_tiles = 0x0f0f0f0fu;
    if (lane_id() / 4 % 2 == 0) return heddle::warp::reduce<4>(lane_id(), {}, even_tiles);
    return -heddle::warp::reduce<4>(lane_id(), heddle::plus{}, ~even_tiles);
  }
};

TEST(warp_reduce, serves_callers_in_different_branches) {
  const auto answers = answers_of(reduce_in_branches{}, 96);
  for (int thread = 0; thread < 96; ++thread) {
    const int first = thread % 32 / 4 * 4;
    const int sum = 4 * first + 6;
    EXPECT_EQ(answers[thread], first / 4 % 2 == 0 ? sum : -sum) << thread;
  }
}

struct extremes {
  float smallest, largest;
};

// Lane i contributes values[i].
struct reduce_given {
  float values[32];
  __device__ extremes operator()() const {
    const float mine = values[lane_id()];
    return {heddle::warp::reduce(mine, heddle::minimum{}),
            heddle::warp::reduce(mine, heddle::maximum{})};
  }
};

TEST(warp_reduce, lets_nan_lose_and_puts_minus_zero_below_zero) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  reduce_given some{};
  for (float& value : some.values) value = nan;
  for (const extremes& answer : answers_of(some)) {
    EXPECT_TRUE(std::isnan(answer.smallest) && std::isnan(answer.largest));
  }
  some.values[13] = 0.0f;
  some.values[20] = -0.0f;
  for (const extremes& answer : answers_of(some)) {
    EXPECT_EQ(answer.smallest, 0.0f);
    EXPECT_TRUE(std::signbit(answer.smallest));
    EXPECT_FALSE(std::signbit(answer.largest));
    EXPECT_EQ(answer.largest, 0.0f);
  }
}

// 2048 and 31 halves: an addition in half would lose every 0.5.
struct reduce_halfs {
  __device__ float operator()() const {
    const __half mine = __float2half(lane_id() == 0 ? 2048.0f : 0.5f);
    __half rows[2]{mine, mine};
    heddle::warp::reduce_rows(rows);
    const float everywhere = __half2float(heddle::warp::reduce(mine));
    const float at_first = __half2float(heddle::warp::reduce_to_first(mine));
    const bool all_agree =
        __half2float(rows[1]) == everywhere && (lane_id() != 0 || at_first == everywhere);
    return all_agree ? everywhere : -1;
  }
};

TEST(warp_reduce, sums_halfs_in_float) {
  for (const float answer : answers_of(reduce_halfs{})) EXPECT_EQ(answer, 2064.0f);
}

struct three_sums {
  float sums[3];
};

struct reduce_three_rows {
  std::uint64_t seed;
  bool at_once;
  __device__ three_sums operator()() const {
    three_sums mine;
    for (int row = 0; row < 3; ++row) mine.sums[row] = sample<float>(seed, row * 32 + lane_id());
    if (at_once) {
      heddle::warp::reduce_rows<8>(mine.sums);
    } else {
      for (float& sum : mine.sums) sum = heddle::warp::reduce<8>(sum);
    }
    return mine;
  }
};

TEST(warp_reduce_rows, sums_each_row_as_a_tree_of_neighbours) {
  HEDDLE_NAME_SEED();
  const auto answers = answers_of(reduce_three_rows{seed(), true});
  for (int row = 0; row < 3; ++row) {
    for (int first = 0; first < 32; first += 8) {
      float tree[8];
      for (int i = 0; i < 8; ++i) tree[i] = sample<float>(seed(), row * 32 + first + i);
      for (int step = 1; step < 8; step *= 2) {
        for (int i = 0; i < 8; i += 2 * step) tree[i] += tree[i + step];
      }
      for (int i = 0; i < 8; ++i) EXPECT_EQ(answers[first + i].sums[row], tree[0]) << first + i;
    }
  }
}

TEST(warp_reduce_rows, matches_single_reductions) {
  HEDDLE_NAME_SEED();
  const auto at_once = answers_of(reduce_three_rows{seed(), true});
  const auto singly = answers_of(reduce_three_rows{seed(), false});
  for (int lane = 0; lane < 32; ++lane) {
    for (int row = 0; row < 3; ++row) EXPECT_EQ(at_once[lane].sums[row], singly[lane].sums[row]);
  }
}

}  // namespace
