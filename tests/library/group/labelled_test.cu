// A block split by label: reductions, extremes and scans of each label against plain loops.
#include <heddle/group/labelled.cuh>

#include <map>

#include "support/on_device.cuh"
#include "support/values.cuh"

namespace {
using namespace heddle_test;
namespace group = heddle::group;

// Labels at random, in runs, or alternating from thread to thread.
enum class spread { random, runs, alternating, count };

__host__ __device__ int label_at(std::uint64_t seed, spread way, int labels, int thread) {
  switch (way) {
    case spread::random:
      return static_cast<int>(sample_bits(seed + 5, static_cast<std::uint64_t>(thread)) % labels);
    case spread::runs:
      return thread / 50 % labels;
    default:
      return (labels - 1) - thread % labels;
  }
}

template <typename T>
struct results {
  T sum, including, before, from_initial;
};

template <typename T>
__host__ __device__ T initial_of(std::uint64_t seed) {
  return value_at<T>(seed, -1);
}

// Runs everything twice in a row on one scratch, first with other labels.
template <typename T, typename Op, int labels>
struct work_by_label {
  std::uint64_t seed;
  spread way;
  __device__ results<T> operator()() const {
    __shared__ group::labelled_scratch<T, labels> scratch;
    const int thread = heddle::thread_rank();
    const T value = value_at<T>(seed, thread);
    const T initial = initial_of<T>(seed);
    results<T> found{};
    for (int turn = 0; turn < 2; ++turn) {
      const int label = turn == 0 ? (thread * 5) % labels : label_at(seed, way, labels, thread);
      found.sum = group::labelled_reduce(label, value, Op{}, scratch);
      found.including = group::labelled_inclusive_scan(label, value, Op{}, scratch);
      found.before = group::labelled_exclusive_scan(label, value, Op{}, scratch);
      found.from_initial =
          group::labelled_exclusive_scan_from(label, initial, value, Op{}, scratch);
    }
    return found;
  }
};

template <typename T, typename Op, int labels>
void expect_labelled(dim3 shape) {
  HEDDLE_NAME_SEED();
  const Op op{};
  const int size = static_cast<int>(shape.x * shape.y * shape.z);
  for (int i = 0; i < static_cast<int>(spread::count); ++i) {
    const auto way = static_cast<spread>(i);
    const auto answers = answers_of(work_by_label<T, Op, labels>{seed(), way}, shape);
    std::map<int, T> sums;
    for (int thread = 0; thread < size; ++thread) {
      const int label = label_at(seed(), way, labels, thread);
      const T value = value_at<T>(seed(), thread);
      const bool is_first = sums.count(label) == 0;
      const T before = is_first ? heddle::identity<Op, T>() : sums[label];
      sums[label] = is_first ? value : op(before, value);
      const T initial = initial_of<T>(seed());
      ASSERT_TRUE(answers[thread].before == before) << thread << " of " << size;
      ASSERT_TRUE(answers[thread].including == sums[label]) << thread << " of " << size;
      ASSERT_TRUE(answers[thread].from_initial == (is_first ? initial : op(initial, before)))
          << thread << " of " << size;
    }
    for (int thread = 0; thread < size; ++thread) {
      const int label = label_at(seed(), way, labels, thread);
      ASSERT_TRUE(answers[thread].sum == sums[label])
          << "thread " << thread << " of " << size << ", label " << label << " of " << labels;
    }
  }
}

template <typename T, typename Op, int labels>
void expect_labelled_in_blocks() {
  for (const dim3 shape : {dim3(1), dim3(33), dim3(128), dim3(300), dim3(1024), dim3(7, 5, 9)}) {
    expect_labelled<T, Op, labels>(shape);
  }
}

TEST(group_labelled, works_for_one_label) { expect_labelled_in_blocks<affine, then, 1>(); }
TEST(group_labelled, works_for_two_labels) { expect_labelled_in_blocks<float, heddle::plus, 2>(); }
TEST(group_labelled, works_for_seven_labels) { expect_labelled_in_blocks<affine, then, 7>(); }
TEST(group_labelled, works_for_1024_labels) { expect_labelled_in_blocks<affine, then, 1024>(); }

struct extremes {
  group::indexed<float> largest, smallest;
};

struct find_by_label {
  std::uint64_t seed;
  __device__ extremes operator()() const {
    __shared__ group::labelled_scratch<group::indexed<float>, 4> scratch;
    const int thread = heddle::thread_rank();
    const int label = label_at(seed, spread::random, 4, thread);
    const float value = value_at<float>(seed, thread);
    return {group::labelled_arg_max(label, value, thread, scratch),
            group::labelled_arg_min(label, value, thread, scratch)};
  }
};

TEST(group_labelled, finds_the_extremes_of_four_groups) {
  HEDDLE_NAME_SEED();
  for (const int size : {1, 100, 1024}) {
    const auto answers = answers_of(find_by_label{seed()}, size);
    for (int label = 0; label < 4; ++label) {
      int largest = -1, smallest = -1;
      for (int thread = 0; thread < size; ++thread) {
        if (label_at(seed(), spread::random, 4, thread) != label) continue;
        const float value = value_at<float>(seed(), thread);
        if (largest < 0 || value > value_at<float>(seed(), largest)) largest = thread;
        if (smallest < 0 || value < value_at<float>(seed(), smallest)) smallest = thread;
      }
      for (int thread = 0; thread < size; ++thread) {
        if (label_at(seed(), spread::random, 4, thread) != label) continue;
        ASSERT_EQ(answers[thread].largest.index, largest) << thread << " of " << size;
        ASSERT_EQ(answers[thread].smallest.index, smallest) << thread << " of " << size;
        ASSERT_EQ(answers[thread].largest.value, value_at<float>(seed(), largest));
        ASSERT_EQ(answers[thread].smallest.value, value_at<float>(seed(), smallest));
      }
    }
  }
}

struct sum_halves {
  __device__ float operator()() const {
    __shared__ group::labelled_scratch<__half, 2> scratch;
    const int thread = heddle::thread_rank();
    const auto value = static_cast<__half>(thread % 3 == 0 ? 512.0f : 0.25f);
    return static_cast<float>(group::labelled_reduce(thread % 2, value, heddle::plus{}, scratch));
  }
};

TEST(group_labelled, sums_halves_in_float) {
  const auto answers = answers_of(sum_halves{}, 180);
  for (const float answer : answers) {
    EXPECT_EQ(answer, static_cast<float>(static_cast<__half>(30 * 512.0f + 60 * 0.25f)));
  }
}

}  // namespace
