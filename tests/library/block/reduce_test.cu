// block::reduce, reduce_to_first and reduce_rows against plain loops over the threads of a block.
#include <heddle/block/reduce.cuh>

#include <cmath>

#include "support/on_device.cuh"
#include "support/operators.cuh"
#include "support/samples.cuh"
#include "support/scan_values.cuh"

namespace {
using namespace heddle_test;
using heddle::thread_rank;

constexpr int edge_sizes[] = {1, 2, 31, 32, 33, 63, 64, 100, 255, 256, 512, 1000, 1023, 1024};

__device__ interval own_interval() {
  const auto thread = static_cast<std::int16_t>(thread_rank());
  return {thread, thread, false};
}

struct four_answers {
  interval everywhere;
  interval at_first;
  interval without_identity;
  std::uint32_t sum;
};

template <int threads>
struct reduce_in_four_ways {
  std::uint64_t seed;
  __device__ four_answers operator()() const {
    __shared__ heddle::block::scratch<interval, threads> scratch;
    __shared__ heddle::block::scratch<std::uint32_t, threads> sums;
    const auto mine = sample<std::uint32_t>(seed, thread_rank());
    return {heddle::block::reduce(own_interval(), join{}, scratch),
            heddle::block::reduce_to_first(own_interval(), join{}, scratch),
            heddle::block::reduce(own_interval(), join_unknown{}, scratch),
            heddle::block::reduce(mine, heddle::plus{}, sums)};
  }
};

template <int scratch_threads = heddle::block::any_size>
void expect_thread_order(dim3 block) {
  const auto threads = block.x * block.y * block.z;
  const auto answers = answers_of(reduce_in_four_ways<scratch_threads>{seed()}, block);
  const interval expected{0, static_cast<std::int16_t>(threads - 1), false};
  std::uint32_t sum = 0;
  for (unsigned thread = 0; thread < threads; ++thread)
    sum += sample<std::uint32_t>(seed(), thread);
  unsigned wrong = 0;
  for (const four_answers& answer : answers) {
    if (!(answer.everywhere == expected && answer.without_identity == expected)) ++wrong;
    if (answer.sum != sum) ++wrong;
  }
  EXPECT_EQ(wrong, 0u) << threads << " threads";
  EXPECT_TRUE(answers[0].at_first == expected) << threads << " threads";
}

TEST(block_reduce, keeps_thread_order_in_blocks_of_every_size) {
  HEDDLE_NAME_SEED();
  for (unsigned threads = 1; threads <= 1024; ++threads) expect_thread_order(dim3(threads));
}

template <int... sizes>
void expect_thread_order_of_sizes() {
  HEDDLE_NAME_SEED();
  (expect_thread_order<sizes>(dim3(sizes)), ...);
}

TEST(block_reduce, keeps_thread_order_with_a_scratch_for_one_size) {
  expect_thread_order_of_sizes<1, 32, 64, 96, 100, 128, 160, 256, 512, 992, 1000, 1024>();
  expect_thread_order<512>(dim3(8, 16, 4));
  expect_thread_order<96>(dim3(1, 3, 32));
}

TEST(block_reduce, counts_threads_along_x_then_y_then_z) {
  HEDDLE_NAME_SEED();
  for (const dim3 block : {dim3(7, 5, 3), dim3(1, 33), dim3(1, 1, 64), dim3(16, 16, 4),
                           dim3(31, 3, 11), dim3(32, 8), dim3(1, 1, 1), dim3(5, 2, 2)}) {
    expect_thread_order(block);
  }
}

template <typename T, typename Op, int threads = heddle::block::any_size>
struct reduce_samples {
  std::uint64_t seed;
  __device__ T operator()() const {
    __shared__ heddle::block::scratch<T, threads> scratch;
    return heddle::block::reduce(sample<T>(seed, thread_rank()), Op{}, scratch);
  }
};

template <typename T, typename Op>
void expect_exact_reduction() {
  HEDDLE_NAME_SEED();
  for (const int threads : edge_sizes) {
    T expected = sample<T>(seed(), 0);
    for (int thread = 1; thread < threads; ++thread) {
      expected = Op{}(expected, sample<T>(seed(), thread));
    }
    const auto answers = answers_of(reduce_samples<T, Op>{seed()}, threads);
    EXPECT_EQ(answers, std::vector<T>(threads, expected)) << threads << " threads";
  }
}

TEST(block_reduce, is_exact_for_8_bit_integers) {
  expect_exact_reduction<std::int8_t, heddle::plus>();
}
TEST(block_reduce, is_exact_for_64_bit_integers) {
  expect_exact_reduction<std::uint64_t, heddle::plus>();
}
TEST(block_reduce, is_exact_for_bits) { expect_exact_reduction<std::uint32_t, heddle::bit_xor>(); }
TEST(block_reduce, is_exact_for_the_largest_float) {
  expect_exact_reduction<float, heddle::maximum>();
}
TEST(block_reduce, is_exact_for_the_smallest_double) {
  expect_exact_reduction<double, heddle::minimum>();
}

TEST(block_reduce, sums_floats_as_a_tree_the_same_in_every_thread) {
  HEDDLE_NAME_SEED();
  for (const int threads : edge_sizes) {
    const auto answers = answers_of(reduce_samples<float, heddle::plus>{seed()}, threads);
    double exact = 0, magnitude = 0;
    for (int thread = 0; thread < threads; ++thread) {
      exact += sample<float>(seed(), thread);
      magnitude += std::abs(sample<float>(seed(), thread));
    }
    // Ten levels of a tree, and each rounds once.
    EXPECT_NEAR(answers[0], exact, 11 * 0x1p-24 * magnitude) << threads << " threads";
    EXPECT_EQ(answers, std::vector<float>(threads, answers[0])) << threads << " threads";
  }
}

template <typename T, typename Op, int threads>
void expect_exact_in_slots() {
  T expected = sample<T>(seed(), 0);
  for (int thread = 1; thread < threads; ++thread) {
    expected = Op{}(expected, sample<T>(seed(), thread));
  }
  const auto answers = answers_of(reduce_samples<T, Op, threads>{seed()}, threads);
  EXPECT_EQ(answers, std::vector<T>(threads, expected)) << threads << " threads";
}

TEST(block_reduce, is_exact_with_a_scratch_for_one_size) {
  HEDDLE_NAME_SEED();
  expect_exact_in_slots<std::int8_t, heddle::plus, 256>();
  expect_exact_in_slots<std::uint16_t, heddle::bit_xor, 96>();
  expect_exact_in_slots<std::int32_t, heddle::maximum, 512>();
  expect_exact_in_slots<std::uint64_t, heddle::plus, 1024>();
  expect_exact_in_slots<std::uint64_t, heddle::plus, 160>();
  expect_exact_in_slots<float, heddle::minimum, 1024>();
}

TEST(block_reduce, sums_floats_with_a_scratch_for_one_size) {
  HEDDLE_NAME_SEED();
  const auto answers = answers_of(reduce_samples<float, heddle::plus, 512>{seed()}, 512);
  double exact = 0, magnitude = 0;
  for (int thread = 0; thread < 512; ++thread) {
    exact += sample<float>(seed(), thread);
    magnitude += std::abs(sample<float>(seed(), thread));
  }
  EXPECT_NEAR(answers[0], exact, 10 * 0x1p-24 * magnitude);
  EXPECT_EQ(answers, std::vector<float>(512, answers[0]));
}

template <typename Short>
struct sum_short_floats {
  std::uint64_t seed;
  __device__ float operator()() const {
    __shared__ heddle::block::scratch<Short> scratch;
    const auto mine = static_cast<Short>(fabsf(sample<float>(seed, thread_rank())));
    return static_cast<float>(heddle::block::reduce(mine, heddle::plus{}, scratch));
  }
};

// A sum that is rounded once is off by at most half a unit in the last of `digits` places.
template <typename Short>
void expect_sum_rounded_once(int digits) {
  HEDDLE_NAME_SEED();
  for (const int threads : edge_sizes) {
    double exact = 0;
    for (int thread = 0; thread < threads; ++thread) {
      exact += static_cast<float>(
          static_cast<Short>(std::abs(sample<float>(seed(), static_cast<std::uint64_t>(thread)))));
    }
    const double half_a_unit = std::ldexp(0.5, std::ilogb(exact) + 1 - digits);
    for (const float answer : answers_of(sum_short_floats<Short>{seed()}, threads)) {
      ASSERT_NEAR(answer, exact, half_a_unit * 1.001) << threads << " threads";
    }
  }
}

TEST(block_reduce, sums_halfs_in_float) { expect_sum_rounded_once<__half>(11); }
TEST(block_reduce, sums_bfloat16s_in_float) { expect_sum_rounded_once<__nv_bfloat16>(8); }

struct alignas(32) sixty_four_bytes {
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

template <int threads = heddle::block::any_size>
struct reduce_structs {
  __device__ sixty_four_bytes operator()() const {
    __shared__ heddle::block::scratch<sixty_four_bytes, threads> scratch;
    sixty_four_bytes mine{};
    for (int i = 0; i < 7; ++i) mine.sums[i] = thread_rank() * 1000 + i;
    mine.largest = static_cast<std::uint32_t>(thread_rank());
    mine.mark = 'x';
    return heddle::block::reduce(mine, add_all{}, scratch);
  }
};

void expect_sums_of_structs(const std::vector<sixty_four_bytes>& answers) {
  const auto threads = static_cast<int>(answers.size());
  for (const sixty_four_bytes& answer : answers) {
    for (int i = 0; i < 7; ++i) {
      ASSERT_EQ(answer.sums[i], threads * (threads - 1) / 2 * 1000.0 + threads * i);
    }
    ASSERT_EQ(answer.largest, static_cast<std::uint32_t>(threads - 1));
    ASSERT_EQ(answer.mark, 'x');
  }
}

TEST(block_reduce, takes_structs_of_64_bytes) {
  static_assert(sizeof(sixty_four_bytes) == 64);
  for (const int threads : {100, 128, 1024}) {
    expect_sums_of_structs(answers_of(reduce_structs<>{}, threads));
  }
  expect_sums_of_structs(answers_of(reduce_structs<1024>{}, 1024));
}

__host__ __device__ inline int value_in_round(int round, int thread) {
  return (round % 2 == 0 ? 1 : -1) * (thread * 31 + round * 7 + 1);
}

// Counts the rounds in which a thread did not get the sum of all values.
template <int threads = heddle::block::any_size>
struct reduce_in_a_row {
  int rounds;
  const int* sums;
  __device__ int operator()() const {
    __shared__ heddle::block::scratch<int, threads> scratch;
    int wrong = 0;
    for (int round = 0; round < rounds; ++round) {
      const int mine = value_in_round(round, thread_rank());
      // Warps reach the calls at different times.
      if ((thread_rank() / heddle::warp_size + round) % 5 == 0) __nanosleep(100);
      if (round % 3 == 2) {
        const int sum = heddle::block::reduce_to_first(mine, heddle::plus{}, scratch);
        wrong += thread_rank() == 0 && sum != sums[round] ? 1 : 0;
      } else {
        wrong += heddle::block::reduce(mine, heddle::plus{}, scratch) != sums[round] ? 1 : 0;
      }
    }
    return wrong;
  }
};

template <int scratch_threads = heddle::block::any_size>
void expect_right_in_a_row(int threads) {
  constexpr int rounds = 300;
  std::vector<int> sums(rounds, 0);
  for (int round = 0; round < rounds; ++round) {
    for (int thread = 0; thread < threads; ++thread) sums[round] += value_in_round(round, thread);
  }
  const device_array<int> expected(sums);
  const auto wrong = answers_of(reduce_in_a_row<scratch_threads>{rounds, expected.data()}, threads);
  EXPECT_EQ(wrong, std::vector<int>(threads, 0)) << threads << " threads";
}

TEST(block_reduce, can_be_called_repeatedly_on_one_scratch) {
  for (const int threads : {64, 128, 200, 512, 1000, 1024}) expect_right_in_a_row(threads);
  expect_right_in_a_row<64>(64);
  expect_right_in_a_row<256>(256);
  expect_right_in_a_row<1024>(1024);
}

template <int count>
struct joined_rows {
  interval rows[count];
};

// In row i, thread t contributes the interval of i + t.
template <int count, typename Op, int threads>
struct reduce_interval_rows {
  __device__ joined_rows<count> operator()() const {
    __shared__ heddle::block::scratch<interval, threads, count> scratch;
    joined_rows<count> mine;
    for (int row = 0; row < count; ++row) {
      const auto place = static_cast<std::int16_t>(thread_rank() + row);
      mine.rows[row] = {place, place, false};
    }
    heddle::block::reduce_rows(mine.rows, Op{}, scratch);
    return mine;
  }
};

template <int count, typename Op, int scratch_threads = heddle::block::any_size>
void expect_rows_in_order(int threads) {
  unsigned wrong = 0;
  for (const auto& answer :
       answers_of(reduce_interval_rows<count, Op, scratch_threads>{}, threads)) {
    for (int row = 0; row < count; ++row) {
      const interval expected{static_cast<std::int16_t>(row),
                              static_cast<std::int16_t>(row + threads - 1), false};
      if (!(answer.rows[row] == expected)) ++wrong;
    }
  }
  EXPECT_EQ(wrong, 0u) << count << " rows of " << threads << " threads";
}

TEST(block_reduce_rows, keeps_thread_order_for_any_number_of_rows) {
  for (const int threads : edge_sizes) {
    expect_rows_in_order<1, join>(threads);
    expect_rows_in_order<2, join_unknown>(threads);
    expect_rows_in_order<3, join>(threads);
    expect_rows_in_order<8, join>(threads);
    expect_rows_in_order<13, join_unknown>(threads);
    expect_rows_in_order<33, join>(threads);
  }
  expect_rows_in_order<4, join, 128>(128);
  expect_rows_in_order<5, join_unknown, 96>(96);
  expect_rows_in_order<13, join, 64>(64);
  expect_rows_in_order<33, join, 1024>(1024);
}

struct five_sums {
  float sums[5];
};

struct reduce_five_rows {
  std::uint64_t seed;
  bool at_once;
  __device__ five_sums operator()() const {
    __shared__ heddle::block::scratch<float, heddle::block::any_size, 5> scratch;
    five_sums mine;
    for (int row = 0; row < 5; ++row)
      mine.sums[row] = sample<float>(seed, row * 1024 + thread_rank());
    if (at_once) {
      heddle::block::reduce_rows(mine.sums, heddle::plus{}, scratch);
    } else {
      for (float& sum : mine.sums) sum = heddle::block::reduce(sum, heddle::plus{}, scratch);
    }
    return mine;
  }
};

TEST(block_reduce_rows, sums_floats_with_the_bits_of_single_reductions) {
  HEDDLE_NAME_SEED();
  for (const int threads : edge_sizes) {
    const auto at_once = answers_of(reduce_five_rows{seed(), true}, threads);
    const auto singly = answers_of(reduce_five_rows{seed(), false}, threads);
    for (int row = 0; row < 5; ++row) {
      double exact = 0, magnitude = 0;
      for (int thread = 0; thread < threads; ++thread) {
        exact += sample<float>(seed(), row * 1024 + thread);
        magnitude += std::abs(sample<float>(seed(), row * 1024 + thread));
      }
      // Ten levels of a tree, and each rounds once.
      ASSERT_NEAR(at_once[0].sums[row], exact, 11 * 0x1p-24 * magnitude) << threads << " threads";
    }
    for (int thread = 0; thread < threads; ++thread) {
      for (int row = 0; row < 5; ++row) {
        ASSERT_EQ(at_once[thread].sums[row], singly[thread].sums[row]) << threads << " threads";
      }
    }
  }
}

struct sum_half_rows {
  __device__ float operator()() const {
    __shared__ heddle::block::scratch<__half, heddle::block::any_size, 2> scratch;
    __half values[2] = {static_cast<__half>(1.0f), static_cast<__half>(0.0625f)};
    heddle::block::reduce_rows(values, heddle::plus{}, scratch);
    return static_cast<float>(values[0]) + static_cast<float>(values[1]);
  }
};

TEST(block_reduce_rows, sums_halfs) {
  for (const float answer : answers_of(sum_half_rows{}, 1000)) ASSERT_EQ(answer, 1062.5f);
}

}  // namespace
