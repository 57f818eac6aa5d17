// block::arg_max and arg_min against plain loops over the threads of a block.
#include <heddle/block/arg.cuh>

#include <cmath>
#include <limits>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::thread_rank;
using heddle::block::indexed;

constexpr int edge_sizes[] = {1, 2, 31, 32, 33, 63, 64, 100, 255, 256, 512, 1000, 1023, 1024};

template <typename T, typename Index>
struct both_ends {
  indexed<T, Index> largest, smallest;
};

// Thread i contributes values[i] with the index indices[i].
template <typename T, typename Index>
struct find_both_ends {
  const T* values;
  const Index* indices;
  __device__ both_ends<T, Index> operator()() const {
    __shared__ heddle::block::scratch<indexed<T, Index>> scratch;
    const T mine = values[thread_rank()];
    const Index index = indices[thread_rank()];
    return {heddle::block::arg_max(mine, index, scratch),
            heddle::block::arg_min(mine, index, scratch)};
  }
};

// The contract in plain words: numbers before NaN, then the better value, then the smaller index.
template <bool wants_largest, typename T, typename Index>
indexed<T, Index> best_of(const std::vector<T>& values, const std::vector<Index>& indices) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const auto mine = static_cast<double>(values[i]), other = static_cast<double>(values[best]);
    const bool is_better =
        std::isnan(other) ? !std::isnan(mine) : (wants_largest ? mine > other : mine < other);
    const bool is_equal = mine == other || (std::isnan(mine) && std::isnan(other));
    if (is_better || (is_equal && indices[i] < indices[best])) best = i;
  }
  return {values[best], indices[best]};
}

template <typename T, typename Index>
bool are_same(const indexed<T, Index>& a, const indexed<T, Index>& b) {
  const auto mine = static_cast<double>(a.value), other = static_cast<double>(b.value);
  if (a.index != b.index) return false;
  if (std::isnan(mine)) return std::isnan(other);
  return mine == other && std::signbit(mine) == std::signbit(other);
}

template <typename T, typename Index>
void expect_both_ends(const std::vector<T>& values, const std::vector<Index>& indices,
                      dim3 block = dim3(0)) {
  const auto largest = best_of<true>(values, indices);
  const auto smallest = best_of<false>(values, indices);
  const device_array<T> given(values);
  const device_array<Index> numbers(indices);
  if (block.x == 0) block = dim3(static_cast<unsigned>(values.size()));
  unsigned wrong = 0;
  for (const auto& answer :
       answers_of(find_both_ends<T, Index>{given.data(), numbers.data()}, block)) {
    if (!are_same(answer.largest, largest) || !are_same(answer.smallest, smallest)) ++wrong;
  }
  EXPECT_EQ(wrong, 0u) << values.size() << " threads";
}

std::vector<int> numbered(int count) {
  std::vector<int> indices(count);
  for (int i = 0; i < count; ++i) indices[i] = i;
  return indices;
}

TEST(block_arg, finds_both_ends_in_blocks_of_every_size) {
  HEDDLE_NAME_SEED();
  for (int threads = 1; threads <= 1024; ++threads) {
    std::vector<float> values(threads);
    for (int i = 0; i < threads; ++i) values[i] = sample<float>(seed() + threads, i);
    expect_both_ends(values, numbered(threads));
  }
}

TEST(block_arg, counts_threads_along_x_then_y_then_z) {
  HEDDLE_NAME_SEED();
  std::vector<float> values(105);
  for (int i = 0; i < 105; ++i) values[i] = sample<float>(seed(), i);
  expect_both_ends(values, numbered(105), dim3(7, 5, 3));
}

TEST(block_arg, takes_the_smallest_index_of_equal_values_wherever_they_are) {
  HEDDLE_NAME_SEED();
  for (const int threads : edge_sizes) {
    std::vector<float> values(threads);
    std::vector<int> indices(threads);
    for (int i = 0; i < threads; ++i) {
      values[i] = static_cast<float>(sample_bits(seed(), i) % 3);
      indices[i] = (i * 367 + 11) % 1031 - 500;  // distinct, in no order
    }
    expect_both_ends(values, indices);
  }
}

TEST(block_arg, lets_nan_lose_and_treats_zeros_as_equal) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const int threads : edge_sizes) {
    std::vector<float> values(threads, nan);
    expect_both_ends(values, numbered(threads));
    if (threads < 31) continue;
    values[threads - 1] = 0.0f;
    values[threads - 9] = -0.0f;
    expect_both_ends(values, numbered(threads));
    values[5] = -std::numeric_limits<float>::infinity();
    expect_both_ends(values, numbered(threads));
  }
}

template <typename T, typename Index>
void expect_both_ends_of_samples() {
  HEDDLE_NAME_SEED();
  for (const int threads : edge_sizes) {
    std::vector<T> values(threads);
    std::vector<Index> indices(threads);
    for (int i = 0; i < threads; ++i) {
      values[i] = sample<T>(seed(), i);
      indices[i] = static_cast<Index>(threads - i);
    }
    expect_both_ends(values, indices);
  }
}

TEST(block_arg, takes_8_bit_integers) { expect_both_ends_of_samples<std::uint8_t, int>(); }
TEST(block_arg, takes_doubles_and_wide_indices) {
  expect_both_ends_of_samples<double, std::int64_t>();
}
TEST(block_arg, takes_halfs) { expect_both_ends_of_samples<__half, std::uint32_t>(); }

__host__ __device__ inline int value_in_round(int round, int thread) {
  return static_cast<int>(sample_bits(static_cast<std::uint64_t>(round), thread) % 1000);
}

// Counts the rounds in which a thread did not get the largest and the smallest value.
struct find_in_a_row {
  int rounds;
  const indexed<int>* largest;
  const indexed<int>* smallest;
  __device__ int operator()() const {
    __shared__ heddle::block::scratch<indexed<int>> scratch;
    int wrong = 0;
    for (int round = 0; round < rounds; ++round) {
      const int mine = value_in_round(round, thread_rank());
      if ((thread_rank() / heddle::warp_size + round) % 5 == 0) __nanosleep(100);
      const bool wants_largest = round % 2 == 0;
      const auto found = wants_largest ? heddle::block::arg_max(mine, thread_rank(), scratch)
                                       : heddle::block::arg_min(mine, thread_rank(), scratch);
      const auto expected = wants_largest ? largest[round] : smallest[round];
      wrong += found.value != expected.value || found.index != expected.index ? 1 : 0;
    }
    return wrong;
  }
};

TEST(block_arg, can_be_called_repeatedly_on_one_scratch) {
  constexpr int rounds = 200;
  for (const int threads : {64, 128, 200, 512, 1000, 1024}) {
    std::vector<indexed<int>> largest, smallest;
    for (int round = 0; round < rounds; ++round) {
      std::vector<int> values(threads);
      for (int i = 0; i < threads; ++i) values[i] = value_in_round(round, i);
      largest.push_back(best_of<true>(values, numbered(threads)));
      smallest.push_back(best_of<false>(values, numbered(threads)));
    }
    const device_array<indexed<int>> expected_largest(largest), expected_smallest(smallest);
    const find_in_a_row find{rounds, expected_largest.data(), expected_smallest.data()};
    EXPECT_EQ(answers_of(find, threads), std::vector<int>(threads, 0)) << threads << " threads";
  }
}

}  // namespace
