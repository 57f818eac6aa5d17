// block::compensated_sum against exact sums, next to the plain sum.
#include <heddle/block/compensated_sum.cuh>

#include <cmath>
#include <cstdio>
#include <limits>

#include "support/exact_sum.hpp"
#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::compensated;
using heddle::thread_rank;

constexpr int edge_sizes[] = {1, 2, 31, 32, 33, 64, 100, 256, 512, 1000, 1023, 1024};

template <typename T>
struct two_sums {
  T compensated, plain;
};

template <typename T>
struct sum_given {
  const T* values;
  __device__ two_sums<T> operator()() const {
    __shared__ heddle::block::scratch<compensated<T>> scratch;
    __shared__ heddle::block::scratch<T> plain;
    const T mine = values[thread_rank()];
    return {heddle::block::compensated_sum(mine, scratch),
            heddle::block::reduce(mine, heddle::plus{}, plain)};
  }
};

// Values whose larger ones, of magnitude `scale`, cancel in pairs that are far apart.
template <typename T>
std::vector<T> cancelling_values(int threads, T scale) {
  std::vector<T> values(threads);
  for (int i = 0; i < threads; ++i) {
    values[i] = sample<T>(seed(), i) + T{0x1p-24} * sample<T>(seed(), 10000 + i);
  }
  for (int i = 0; i + threads / 2 < threads && i < threads / 2; i += 2) {
    const T large = scale * (1 + std::abs(values[i]));
    values[i] = large;
    values[i + threads / 2] = -large;
  }
  return values;
}

// Checks the error against the contract: half a unit in the last place plus `squares` u² Σ|x|.
// Prints it and the error of the plain sum, in units of u |sum|.
template <typename T>
void expect_right_digits(T scale, double squares) {
  HEDDLE_NAME_SEED();
  const double unit = std::numeric_limits<T>::epsilon() / 2;
  for (const int threads : edge_sizes) {
    const auto values = cancelling_values<T>(threads, scale);
    exact_sum exact;
    double magnitude = 0;
    for (const T value : values) {
      exact.add(value);
      magnitude += std::abs(value);
    }
    const device_array<T> given(values);
    const auto answers = answers_of(sum_given<T>{given.data()}, threads);
    for (const auto& answer : answers) {
      ASSERT_EQ(answer.compensated, answers[0].compensated) << threads << " threads";
    }
    const double right = std::abs(exact.rounded());
    const double error = exact.distance_to(answers[0].compensated);
    EXPECT_LE(error, (right * unit + squares * unit * unit * magnitude) * (1 + 4 * unit))
        << threads << " threads";
    if (threads == 1000) {
      const double plain_error = exact.distance_to(answers[0].plain);
      std::printf("condition %.1e: error %.2f u, plain sum %.1e u\n", magnitude / right,
                  error / (right * unit), plain_error / (right * unit));
      if (magnitude / right < 1 / unit) {
        EXPECT_GT(plain_error, 100 * error) << "these values do not need compensation";
      }
    }
  }
}

TEST(block_compensated_sum, keeps_the_digits_of_floats_that_cancel) {
  expect_right_digits<float>(1e4f, 1);
  expect_right_digits<float>(1e7f, 1);
  expect_right_digits<float>(1e15f, 1);
}

TEST(block_compensated_sum, keeps_the_digits_of_doubles_that_cancel) {
  expect_right_digits<double>(1e6, 99);
  expect_right_digits<double>(1e14, 99);
  expect_right_digits<double>(1e25, 99);
}

// Each thread adds eight values before the block does; large values cancel between threads.
template <typename T>
struct sum_collected {
  std::uint64_t seed;
  T scale;
  __host__ __device__ T value(int thread, int item, int threads) const {
    const bool is_later = thread >= threads / 2 && threads % 2 == 0;
    const int partner = is_later ? thread - threads / 2 : thread;
    if (threads % 2 == 1 || item == 3) return sample<T>(seed, thread * 8 + item);
    const T large = scale * (sample<T>(seed, partner * 8 + item) + 2);
    return is_later ? -large : large;
  }
  __device__ T operator()() const {
    __shared__ heddle::block::scratch<compensated<T>> scratch;
    compensated<T> mine;
    for (int item = 0; item < 8; ++item) mine.add(value(thread_rank(), item, heddle::block_size()));
    return heddle::block::compensated_sum(mine, scratch);
  }
};

template <typename T>
void expect_collected_digits(T scale) {
  HEDDLE_NAME_SEED();
  const double unit = std::numeric_limits<T>::epsilon() / 2;
  for (const int threads : edge_sizes) {
    const sum_collected<T> given{seed(), scale};
    exact_sum exact;
    double magnitude = 0;
    for (int thread = 0; thread < threads; ++thread) {
      for (int item = 0; item < 8; ++item) {
        exact.add(given.value(thread, item, threads));
        magnitude += std::abs(given.value(thread, item, threads));
      }
    }
    // Eight additions in a thread and ten levels of a tree.
    const double allowed = std::abs(exact.rounded()) * unit + 18 * 18 * unit * unit * magnitude;
    for (const T answer : answers_of(given, threads)) {
      ASSERT_LE(exact.distance_to(answer), allowed * (1 + 4 * unit)) << threads << " threads";
    }
  }
}

TEST(block_compensated_sum, takes_partial_sums_of_threads) {
  expect_collected_digits<float>(1e5f);
  expect_collected_digits<double>(1e12);
}

TEST(block_compensated_sum, matches_plain_addition_for_infinities_and_nan) {
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> values(100, 1.0);
  values[70] = infinity;
  const device_array<double> one_infinity(values);
  for (const auto& answer : answers_of(sum_given<double>{one_infinity.data()}, 100)) {
    ASSERT_EQ(answer.compensated, infinity);
  }
  values[3] = -infinity;
  const device_array<double> both_infinities(values);
  for (const auto& answer : answers_of(sum_given<double>{both_infinities.data()}, 100)) {
    ASSERT_TRUE(std::isnan(answer.compensated));
  }
}

// Counts the rounds in which a thread did not get the sum of all values.
struct sum_in_a_row {
  __device__ int operator()() const {
    __shared__ heddle::block::scratch<compensated<double>> scratch;
    int wrong = 0;
    for (int round = 0; round < 200; ++round) {
      const double sign = round % 2 == 0 ? 1 : -1;
      const double sum = heddle::block::compensated_sum(sign * (thread_rank() + round), scratch);
      const int threads = heddle::block_size();
      wrong += sum != sign * (threads * (threads - 1) / 2 + threads * round) ? 1 : 0;
    }
    return wrong;
  }
};

TEST(block_compensated_sum, can_be_called_repeatedly_on_one_scratch) {
  for (const int threads : {64, 200, 512, 1024}) {
    EXPECT_EQ(answers_of(sum_in_a_row{}, threads), std::vector<int>(threads, 0));
  }
}

}  // namespace
