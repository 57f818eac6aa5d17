// Segmented scans and reductions of a block against plain loops over its segments.
#include <heddle/block/segmented.cuh>

#include <cmath>

#include "support/on_device.cuh"
#include "support/operators.cuh"
#include "support/samples.cuh"
#include "support/scan_values.cuh"

namespace {
using namespace heddle_test;
using heddle::thread_rank;

constexpr int edge_sizes[] = {1, 2, 31, 32, 33, 63, 64, 100, 255, 256, 512, 1000, 1023, 1024};

// Where segments begin: at random, on average every `mean_length` threads (0: nowhere), and at the
// threads of rank `place` + a multiple of 32 (-1: nowhere).
struct pattern {
  std::uint64_t seed;
  unsigned mean_length;
  int place;
  __host__ __device__ bool begins_at(int thread) const {
    return (mean_length != 0 && sample_bits(seed, thread) % mean_length == 0) ||
           thread % 32 == place;
  }
  int first_of(int thread) const {
    while (thread > 0 && !begins_at(thread)) --thread;
    return thread;
  }
  int last_of(int thread, int threads) const {
    while (thread + 1 < threads && !begins_at(thread + 1)) ++thread;
    return thread;
  }
};

std::vector<pattern> patterns() {
  return {{seed(), 0, -1},      {seed(), 1, -1},      {seed() + 1, 2, -1},   {seed() + 2, 7, -1},
          {seed() + 3, 32, -1}, {seed() + 4, 80, -1}, {seed() + 5, 400, -1}, {seed(), 0, 0},
          {seed(), 0, 31},      {seed(), 0, 1},       {seed() + 6, 100, 0}};
}

struct segmented_answers {
  interval inclusive, exclusive, exclusive_from, reduced;
  interval unknown_inclusive, unknown_reduced;
};

struct scan_in_every_way {
  pattern segments;
  __device__ segmented_answers operator()() const {
    __shared__ heddle::block::segmented_scratch<interval> scratch;
    const int thread = thread_rank();
    const bool begins = segments.begins_at(thread);
    const interval mine = from_to(thread, thread);
    const interval initial = from_to(thread - 2, thread - 1);
    return {heddle::block::segmented_inclusive_scan(mine, begins, join{}, scratch),
            heddle::block::segmented_exclusive_scan(mine, begins, join{}, scratch),
            heddle::block::segmented_exclusive_scan_from(initial, mine, begins, join{}, scratch),
            heddle::block::segmented_reduce(mine, begins, join{}, scratch),
            heddle::block::segmented_inclusive_scan(mine, begins, join_unknown{}, scratch),
            heddle::block::segmented_reduce(mine, begins, join_unknown{}, scratch)};
  }
};

void expect_segments_in_order(const pattern& segments, dim3 block) {
  const int threads = static_cast<int>(block.x * block.y * block.z);
  const auto answers = answers_of(scan_in_every_way{segments}, block);
  int wrong = 0;
  for (int thread = 0; thread < threads; ++thread) {
    const int first = segments.first_of(thread), last = segments.last_of(thread, threads);
    const segmented_answers& answer = answers[thread];
    wrong += answer.inclusive == from_to(first, thread) ? 0 : 1;
    wrong +=
        answer.exclusive == (first == thread ? interval{} : from_to(first, thread - 1)) ? 0 : 1;
    wrong += answer.exclusive_from == from_to(first - 2, thread - 1) ? 0 : 1;
    wrong += answer.reduced == from_to(first, last) ? 0 : 1;
    wrong += answer.unknown_inclusive == from_to(first, thread) ? 0 : 1;
    wrong += answer.unknown_reduced == from_to(first, last) ? 0 : 1;
  }
  EXPECT_EQ(wrong, 0) << threads << " threads, segments of about " << segments.mean_length
                      << ", or at lanes " << segments.place;
}

TEST(block_segmented, keeps_thread_order_within_segments_of_any_length) {
  HEDDLE_NAME_SEED();
  for (const pattern& segments : patterns()) {
    for (const int threads : edge_sizes) expect_segments_in_order(segments, dim3(threads));
  }
}

TEST(block_segmented, serves_blocks_of_every_size) {
  HEDDLE_NAME_SEED();
  for (unsigned threads = 1; threads <= 1024; ++threads) {
    expect_segments_in_order({seed() + threads, 1 + threads / 3, -1}, dim3(threads));
  }
}

TEST(block_segmented, counts_threads_along_x_then_y_then_z) {
  HEDDLE_NAME_SEED();
  for (const dim3 block : {dim3(7, 5, 3), dim3(1, 33), dim3(16, 16, 4), dim3(31, 3, 11)}) {
    expect_segments_in_order({seed(), 20, -1}, block);
  }
}

template <typename T>
struct sums {
  T inclusive, exclusive, reduced;
};

// Any integer, or a fraction, whose sums are rounded.
template <typename T>
__host__ __device__ T summand_of(std::uint64_t seed, int thread) {
  if constexpr (std::is_integral_v<T>) {
    return sample<T>(seed, thread);
  } else {
    return static_cast<T>(static_cast<float>(sample_bits(seed, thread) % 4096) / 4096);
  }
}

template <typename T>
struct sum_segments {
  pattern segments;
  __device__ sums<T> operator()() const {
    __shared__ heddle::block::segmented_scratch<T> scratch;
    const bool begins = segments.begins_at(thread_rank());
    const T mine = summand_of<T>(segments.seed, thread_rank());
    const heddle::plus add;
    return {heddle::block::segmented_inclusive_scan(mine, begins, add, scratch),
            heddle::block::segmented_exclusive_scan(mine, begins, add, scratch),
            heddle::block::segmented_reduce(mine, begins, add, scratch)};
  }
};

// `allowed` gives the error that a sum may have.
template <typename T, typename Exact, typename Allowed>
void expect_segment_sums(const Allowed& allowed) {
  HEDDLE_NAME_SEED();
  for (const pattern& segments : patterns()) {
    for (const int threads : edge_sizes) {
      const auto answers = answers_of(sum_segments<T>{segments}, threads);
      const auto error = [](T found, Exact exact) {
        return std::abs(static_cast<double>(static_cast<Exact>(found) - exact));
      };
      for (int thread = 0; thread < threads; ++thread) {
        Exact before = 0;
        for (int i = segments.first_of(thread); i < thread; ++i) {
          before += static_cast<Exact>(summand_of<T>(segments.seed, i));
        }
        const Exact including = before + static_cast<Exact>(summand_of<T>(segments.seed, thread));
        ASSERT_LE(error(answers[thread].exclusive, before), allowed(before)) << thread;
        ASSERT_LE(error(answers[thread].inclusive, including), allowed(including)) << thread;
        const int last = segments.last_of(thread, threads);
        if (last != thread) continue;
        for (int i = segments.first_of(thread); i <= last; ++i) {
          ASSERT_LE(error(answers[i].reduced, including), allowed(including)) << i;
          ASSERT_EQ(error(answers[i].reduced, static_cast<Exact>(answers[last].reduced)), 0) << i;
        }
      }
    }
  }
}

TEST(block_segmented, is_exact_for_integers) {
  expect_segment_sums<std::uint32_t, std::uint32_t>([](std::uint32_t) { return 0.0; });
}

TEST(block_segmented, sums_floats) {
  // At most sixteen steps, and each rounds once.
  expect_segment_sums<float, double>([](double sum) { return 16 * 0x1p-24 * sum; });
}

TEST(block_segmented, sums_halfs_in_float) {
  expect_segment_sums<__half, float>(
      [](float sum) { return sum == 0 ? 0 : std::ldexp(0.5005, std::ilogb(sum) + 1 - 11); });
}

// Counts the rounds in which a thread got a wrong result.
struct scan_in_a_row {
  int rounds;
  __device__ int operator()() const {
    __shared__ heddle::block::segmented_scratch<int> scratch;
    int wrong = 0;
    const int thread = thread_rank();
    for (int round = 0; round < rounds; ++round) {
      if ((thread / heddle::warp_size + round) % 5 == 0) __nanosleep(100);
      // Segments of `length` threads, each contributing `round`.
      const int length = 1 + round * 37 % 200;
      const bool begins = thread % length == 0;
      const int first = thread / length * length;
      const int left = heddle::block_size() - first;
      if (round % 2 == 0) {
        const int sum = heddle::block::segmented_reduce(round, begins, heddle::plus{}, scratch);
        wrong += sum != round * (left < length ? left : length) ? 1 : 0;
      } else {
        const int sum =
            heddle::block::segmented_inclusive_scan(round, begins, heddle::plus{}, scratch);
        wrong += sum != round * (thread - first + 1) ? 1 : 0;
      }
    }
    return wrong;
  }
};

TEST(block_segmented, can_be_called_repeatedly_on_one_scratch) {
  for (const int threads : {64, 128, 200, 512, 1000, 1024}) {
    EXPECT_EQ(answers_of(scan_in_a_row{300}, threads), std::vector<int>(threads, 0))
        << threads << " threads";
  }
}

}  // namespace
