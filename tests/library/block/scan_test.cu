// block::inclusive_scan and exclusive_scan, of one value and of several, against plain loops.
#include <heddle/block/reduce.cuh>
#include <heddle/block/scan.cuh>

#include <cmath>

#include "support/on_device.cuh"
#include "support/operators.cuh"
#include "support/samples.cuh"
#include "support/scan_values.cuh"

namespace {
using namespace heddle_test;
using heddle::thread_rank;

constexpr int edge_sizes[] = {1, 2, 31, 32, 33, 63, 64, 100, 255, 256, 512, 1000, 1023, 1024};

struct scan_answers {
  interval inclusive, exclusive, inclusive_from, exclusive_from, total, total_from;
  interval unknown_inclusive, unknown_exclusive_from, unknown_total;
};

template <int threads>
struct scan_in_every_way {
  __device__ scan_answers operator()() const {
    __shared__ heddle::block::scratch<interval, threads> scratch;
    const interval mine = from_to(thread_rank(), thread_rank());
    const interval initial = from_to(-5, -1);
    scan_answers all;
    all.inclusive = heddle::block::inclusive_scan(mine, join{}, scratch);
    all.exclusive = heddle::block::exclusive_scan(mine, join{}, scratch, &all.total);
    all.inclusive_from = heddle::block::inclusive_scan_from(initial, mine, join{}, scratch);
    all.exclusive_from =
        heddle::block::exclusive_scan_from(initial, mine, join{}, scratch, &all.total_from);
    all.unknown_inclusive =
        heddle::block::inclusive_scan(mine, join_unknown{}, scratch, &all.unknown_total);
    all.unknown_exclusive_from =
        heddle::block::exclusive_scan_from(initial, mine, join_unknown{}, scratch);
    return all;
  }
};

template <int scratch_threads = heddle::block::any_size>
void expect_thread_order(dim3 block) {
  const int threads = static_cast<int>(block.x * block.y * block.z);
  const auto answers = answers_of(scan_in_every_way<scratch_threads>{}, block);
  const interval total = from_to(0, threads - 1);
  int wrong = 0;
  for (int thread = 0; thread < threads; ++thread) {
    const scan_answers& answer = answers[thread];
    wrong += answer.inclusive == from_to(0, thread) ? 0 : 1;
    wrong += answer.exclusive == from_to(0, thread - 1) ? 0 : 1;
    wrong += answer.inclusive_from == from_to(-5, thread) ? 0 : 1;
    wrong += answer.exclusive_from == from_to(-5, thread - 1) ? 0 : 1;
    wrong += answer.total == total && answer.total_from == total ? 0 : 1;
    wrong += answer.unknown_inclusive == from_to(0, thread) ? 0 : 1;
    wrong += answer.unknown_exclusive_from == from_to(-5, thread - 1) ? 0 : 1;
    wrong += answer.unknown_total == total ? 0 : 1;
  }
  EXPECT_EQ(wrong, 0) << threads << " threads";
}

TEST(block_scan, keeps_thread_order_in_blocks_of_every_size) {
  for (unsigned threads = 1; threads <= 1024; ++threads) expect_thread_order(dim3(threads));
}

template <int... sizes>
void expect_thread_order_of_sizes() {
  (expect_thread_order<sizes>(dim3(sizes)), ...);
}

TEST(block_scan, keeps_thread_order_with_a_scratch_for_one_size) {
  expect_thread_order_of_sizes<1, 32, 64, 96, 100, 128, 256, 512, 992, 1024>();
  expect_thread_order<512>(dim3(8, 16, 4));
}

TEST(block_scan, counts_threads_along_x_then_y_then_z) {
  for (const dim3 block : {dim3(7, 5, 3), dim3(1, 33), dim3(1, 1, 64), dim3(16, 16, 4),
                           dim3(31, 3, 11), dim3(32, 8), dim3(5, 2, 2)}) {
    expect_thread_order(block);
  }
}

template <typename T>
struct both_scans {
  T inclusive, exclusive, total;
};

template <typename T, typename Op, int threads = heddle::block::any_size>
struct scan_samples {
  std::uint64_t seed;
  __device__ both_scans<T> operator()() const {
    __shared__ heddle::block::scratch<T, threads> scratch;
    const T mine = sample<T>(seed, thread_rank());
    both_scans<T> both;
    both.inclusive = heddle::block::inclusive_scan(mine, Op{}, scratch);
    both.exclusive = heddle::block::exclusive_scan(mine, Op{}, scratch, &both.total);
    return both;
  }
};

template <typename T, typename Op>
void expect_exact(const std::vector<both_scans<T>>& answers) {
  const int threads = static_cast<int>(answers.size());
  T before = heddle::identity<Op, T>();
  for (int thread = 0; thread < threads; ++thread) {
    ASSERT_EQ(answers[thread].exclusive, before) << thread << " of " << threads << " threads";
    before = Op{}(before, sample<T>(seed(), thread));
    ASSERT_EQ(answers[thread].inclusive, before) << thread << " of " << threads << " threads";
  }
  for (const auto& answer : answers) ASSERT_EQ(answer.total, before) << threads << " threads";
}

template <typename T, typename Op>
void expect_exact_scans() {
  HEDDLE_NAME_SEED();
  for (const int threads : edge_sizes) {
    expect_exact<T, Op>(answers_of(scan_samples<T, Op>{seed()}, threads));
  }
}

template <typename T, typename Op, int threads>
void expect_exact_in_slots() {
  HEDDLE_NAME_SEED();
  expect_exact<T, Op>(answers_of(scan_samples<T, Op, threads>{seed()}, threads));
}

TEST(block_scan, is_exact_with_a_scratch_for_one_size) {
  expect_exact_in_slots<std::uint8_t, heddle::plus, 128>();
  expect_exact_in_slots<std::int32_t, heddle::plus, 1024>();
  expect_exact_in_slots<std::int64_t, heddle::minimum, 1024>();
  expect_exact_in_slots<std::int64_t, heddle::plus, 96>();
  expect_exact_in_slots<float, heddle::maximum, 512>();
}

TEST(block_scan, is_exact_for_sums_of_8_bit_integers) {
  expect_exact_scans<std::uint8_t, heddle::plus>();
}
TEST(block_scan, is_exact_for_sums_of_32_bit_integers) {
  expect_exact_scans<std::int32_t, heddle::plus>();
}
TEST(block_scan, is_exact_for_the_smallest_64_bit_integer) {
  expect_exact_scans<std::int64_t, heddle::minimum>();
}
TEST(block_scan, is_exact_for_the_largest_float) { expect_exact_scans<float, heddle::maximum>(); }

TEST(block_scan, sums_floats_as_a_tree) {
  HEDDLE_NAME_SEED();
  for (const int threads : edge_sizes) {
    const auto answers = answers_of(scan_samples<float, heddle::plus>{seed()}, threads);
    double exact = 0, magnitude = 0;
    for (int thread = 0; thread < threads; ++thread) {
      // At most eleven levels, and each rounds once.
      ASSERT_NEAR(answers[thread].exclusive, exact, 12 * 0x1p-24 * magnitude) << thread;
      exact += sample<float>(seed(), thread);
      magnitude += std::abs(sample<float>(seed(), thread));
      ASSERT_NEAR(answers[thread].inclusive, exact, 12 * 0x1p-24 * magnitude) << thread;
    }
    for (const auto& answer : answers) {
      ASSERT_NEAR(answer.total, exact, 12 * 0x1p-24 * magnitude);
      ASSERT_EQ(answer.total, answers[0].total);
    }
  }
}

template <typename Short>
struct scan_short_floats {
  std::uint64_t seed;
  __device__ both_scans<float> operator()() const {
    __shared__ heddle::block::scratch<Short> scratch;
    const auto mine = static_cast<Short>(fabsf(sample<float>(seed, thread_rank())));
    Short total = mine;
    Short items[1] = {mine};
    heddle::block::inclusive_scan(items, heddle::plus{}, scratch);
    const auto before = heddle::block::exclusive_scan(mine, heddle::plus{}, scratch, &total);
    return {static_cast<float>(items[0]), static_cast<float>(before), static_cast<float>(total)};
  }
};

// Half a unit in the last of `digits` places.
double rounding_of(double exact, int digits) {
  return exact == 0 ? 0 : std::ldexp(0.5005, std::ilogb(exact) + 1 - digits);
}

template <typename Short>
void expect_sums_rounded_once(int digits) {
  HEDDLE_NAME_SEED();
  for (const int threads : edge_sizes) {
    const auto answers = answers_of(scan_short_floats<Short>{seed()}, threads);
    double exact = 0;
    for (int thread = 0; thread < threads; ++thread) {
      ASSERT_NEAR(answers[thread].exclusive, exact, rounding_of(exact, digits)) << thread;
      exact += static_cast<float>(static_cast<Short>(std::abs(sample<float>(seed(), thread))));
      ASSERT_NEAR(answers[thread].inclusive, exact, rounding_of(exact, digits)) << thread;
    }
    for (const auto& answer : answers) {
      ASSERT_NEAR(answer.total, exact, rounding_of(exact, digits)) << threads << " threads";
    }
  }
}

TEST(block_scan, sums_halfs_in_float) { expect_sums_rounded_once<__half>(11); }
TEST(block_scan, sums_bfloat16s_in_float) { expect_sums_rounded_once<__nv_bfloat16>(8); }

template <int count>
struct item_answers {
  interval inclusive[count], exclusive[count], inclusive_from[count], exclusive_from[count];
  interval unknown_inclusive[count];
  interval totals[3];
};

template <int count, int threads>
struct scan_items_in_every_way {
  __device__ item_answers<count> operator()() const {
    __shared__ heddle::block::scratch<interval, threads> scratch;
    item_answers<count> all;
    for (int item = 0; item < count; ++item) {
      const int place = thread_rank() * count + item;
      all.inclusive[item] = all.exclusive[item] = all.inclusive_from[item] =
          all.exclusive_from[item] = all.unknown_inclusive[item] = from_to(place, place);
    }
    const interval initial = from_to(-5, -1);
    heddle::block::inclusive_scan(all.inclusive, join{}, scratch, &all.totals[0]);
    heddle::block::exclusive_scan(all.exclusive, join{}, scratch, &all.totals[1]);
    heddle::block::inclusive_scan_from(initial, all.inclusive_from, join{}, scratch);
    heddle::block::exclusive_scan_from(initial, all.exclusive_from, join{}, scratch);
    heddle::block::inclusive_scan(all.unknown_inclusive, join_unknown{}, scratch, &all.totals[2]);
    return all;
  }
};

template <int count, int scratch_threads = heddle::block::any_size>
void expect_items_in_order(dim3 block) {
  const int threads = static_cast<int>(block.x * block.y * block.z);
  int wrong = 0, place = 0;
  for (const auto& answer : answers_of(scan_items_in_every_way<count, scratch_threads>{}, block)) {
    for (int item = 0; item < count; ++item, ++place) {
      wrong += answer.inclusive[item] == from_to(0, place) ? 0 : 1;
      wrong += answer.exclusive[item] == from_to(0, place - 1) ? 0 : 1;
      wrong += answer.inclusive_from[item] == from_to(-5, place) ? 0 : 1;
      wrong += answer.exclusive_from[item] == from_to(-5, place - 1) ? 0 : 1;
      wrong += answer.unknown_inclusive[item] == from_to(0, place) ? 0 : 1;
    }
    for (const interval& total : answer.totals) {
      wrong += total == from_to(0, threads * count - 1) ? 0 : 1;
    }
  }
  EXPECT_EQ(wrong, 0) << count << " items in each of " << threads << " threads";
}

TEST(block_scan, takes_several_items_of_each_thread) {
  for (const int threads : edge_sizes) {
    expect_items_in_order<1>(dim3(threads));
    expect_items_in_order<4>(dim3(threads));
    expect_items_in_order<7>(dim3(threads));
  }
  expect_items_in_order<4>(dim3(7, 5, 3));
  expect_items_in_order<4, 64>(dim3(64));
  expect_items_in_order<4, 1024>(dim3(32, 32));
}

__host__ __device__ inline int value_in_round(int round, int thread) {
  return (round % 2 == 0 ? 1 : -1) * (thread * 31 + round * 7 + 1);
}

// Counts the rounds in which a thread did not get the sum of the values up to its own.
template <int scratch_threads = heddle::block::any_size>
struct scan_in_a_row {
  int rounds;
  __device__ int operator()() const {
    __shared__ heddle::block::scratch<int, scratch_threads> scratch;
    int wrong = 0;
    for (int round = 0; round < rounds; ++round) {
      const int thread = thread_rank();
      const int mine = value_in_round(round, thread);
      if ((thread / heddle::warp_size + round) % 5 == 0) __nanosleep(100);
      int before = thread * (thread - 1) / 2 * 31 + thread * (round * 7 + 1);
      if (round % 2 == 1) before = -before;
      const int threads = heddle::block_size();
      int sum = threads * (threads - 1) / 2 * 31 + threads * (round * 7 + 1);
      if (round % 2 == 1) sum = -sum;
      if (round % 3 == 0) {
        wrong += heddle::block::reduce(mine, heddle::plus{}, scratch) != sum ? 1 : 0;
      }
      int total = 0;
      const int found = heddle::block::inclusive_scan(mine, heddle::plus{}, scratch, &total);
      wrong += found != before + mine || total != sum ? 1 : 0;
    }
    return wrong;
  }
};

template <int scratch_threads = heddle::block::any_size>
void expect_right_in_a_row(int threads) {
  EXPECT_EQ(answers_of(scan_in_a_row<scratch_threads>{300}, threads), std::vector<int>(threads, 0))
      << threads << " threads";
}

TEST(block_scan, can_be_called_repeatedly_on_one_scratch) {
  for (const int threads : {64, 128, 200, 512, 1000, 1024}) expect_right_in_a_row(threads);
  expect_right_in_a_row<64>(64);
  expect_right_in_a_row<256>(256);
  expect_right_in_a_row<1024>(1024);
}

struct sixty_four_bytes {
  double sums[7];
  std::uint32_t count;
  char mark;
};

struct add_all {
  __host__ __device__ sixty_four_bytes operator()(const sixty_four_bytes& a,
                                                  const sixty_four_bytes& b) const {
    sixty_four_bytes sum = a;
    for (int i = 0; i < 7; ++i) sum.sums[i] += b.sums[i];
    sum.count += b.count;
    return sum;
  }
};

struct scan_structs {
  __device__ sixty_four_bytes operator()() const {
    __shared__ heddle::block::scratch<sixty_four_bytes> scratch;
    sixty_four_bytes mine{};
    for (int i = 0; i < 7; ++i) mine.sums[i] = thread_rank() + i;
    mine.count = 1;
    mine.mark = 'x';
    return heddle::block::inclusive_scan(mine, add_all{}, scratch);
  }
};

TEST(block_scan, takes_structs_of_64_bytes) {
  static_assert(sizeof(sixty_four_bytes) == 64);
  for (const int threads : {100, 128, 1024}) {
    const auto answers = answers_of(scan_structs{}, threads);
    for (int thread = 0; thread < threads; ++thread) {
      for (int i = 0; i < 7; ++i) {
        ASSERT_EQ(answers[thread].sums[i], thread * (thread + 1) / 2 + (thread + 1) * i);
      }
      ASSERT_EQ(answers[thread].count, static_cast<std::uint32_t>(thread + 1));
      ASSERT_EQ(answers[thread].mark, 'x');
    }
  }
}

}  // namespace
