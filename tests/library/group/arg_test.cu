// group::arg_max and arg_min against plain loops over the members of a group.
#include <heddle/group/arg.cuh>

#include <cmath>

#include "support/sides.cuh"
#include "support/values.cuh"

namespace {
using namespace heddle_test;
namespace cg = cooperative_groups;
namespace group = heddle::group;

// Few distinct values, so that many are equal; floats include NaN and both zeros.
template <typename T>
__host__ __device__ T few_values(std::uint64_t seed, int place) {
  const auto choice = static_cast<int>(sample_bits(seed, static_cast<std::uint64_t>(place)) % 7);
  if constexpr (std::is_floating_point_v<T>) {
    if (choice == 0) return static_cast<T>(NAN);
    if (choice == 1) return static_cast<T>(-0.0f);
  }
  return static_cast<T>(choice % 3);
}

// Indices in a different order than the places.
__host__ __device__ inline int index_at(int place) { return (place * 7 + 3) % 4096; }

template <typename T>
struct extremes {
  T largest, smallest;
  int largest_at, smallest_at;
};

template <typename T>
struct find_extremes {
  using answer = extremes<T>;
  std::uint64_t seed;
  template <typename Group>
  __device__ extremes<T> operator()(const Group& members) const {
    const T value = few_values<T>(seed, place_in_grid());
    const auto largest = group::arg_max(members, value, index_at(place_in_grid()));
    const auto smallest = group::arg_min(members, value, index_at(place_in_grid()));
    return {largest.value, smallest.value, largest.index, smallest.index};
  }
};

template <typename T>
bool is_nan(T value) {
  return value != value;
}
template <typename T>
bool is_same(T a, T b) {
  return is_nan(a) ? is_nan(b) : a == b && std::signbit(double(a)) == std::signbit(double(b));
}

template <typename T>
bool is_right_extreme(const extremes<T>& answer, int first, int, const std::vector<int>& members) {
  int largest = first + members[0], smallest = largest;
  for (const int member : members) {
    const int place = first + member;
    const T value = few_values<T>(seed(), place);
    const auto takes = [&](int best, bool is_better) {
      const T held = few_values<T>(seed(), best);
      if (is_nan(value) != is_nan(held)) return is_nan(held);
      const bool is_equal = is_nan(value) || value == held;
      return is_equal ? index_at(place) < index_at(best) : is_better;
    };
    if (takes(largest, value > few_values<T>(seed(), largest))) largest = place;
    if (takes(smallest, value < few_values<T>(seed(), smallest))) smallest = place;
  }
  return answer.largest_at == index_at(largest) && answer.smallest_at == index_at(smallest) &&
         is_same(answer.largest, few_values<T>(seed(), largest)) &&
         is_same(answer.smallest, few_values<T>(seed(), smallest));
}

template <typename T>
void expect_extremes() {
  HEDDLE_NAME_SEED();
  expect_on_both_sides(find_extremes<T>{seed()}, is_right_extreme<T>);
  expect_in_tiles(find_extremes<T>{seed()}, is_right_extreme<T>);
}

TEST(group_arg, finds_the_smallest_index_of_equal_integers_in_any_set_of_lanes) {
  expect_extremes<std::uint32_t>();
}

TEST(group_arg, lets_nan_lose_and_treats_zeros_as_equal_in_any_set_of_lanes) {
  expect_extremes<float>();
}

struct find_in_block {
  std::uint64_t seed;
  bool in_tiles;
  __device__ extremes<float> operator()() const {
    __shared__ group::scratch<group::indexed<float>> scratch[8];
    const float value = few_values<float>(seed, place_in_grid());
    const int index = index_at(place_in_grid());
    group::indexed<float> largest, smallest;
    if (in_tiles) {
      const auto tile = cg::tiled_partition<128>(cg::this_thread_block());
      auto& own = scratch[tile.meta_group_rank()];
      largest = group::arg_max(tile, value, index, own);
      smallest = group::arg_min(tile, value, index, own);
    } else {
      largest = group::arg_max(cg::this_thread_block(), value, index, scratch[0]);
      smallest = group::arg_min(cg::this_thread_block(), value, index, scratch[0]);
    }
    return {largest.value, smallest.value, largest.index, smallest.index};
  }
};

TEST(group_arg, finds_the_extremes_of_blocks_of_any_size) {
  HEDDLE_NAME_SEED();
  for (const int size : {1, 32, 33, 100, 256, 300, 1024}) {
    std::vector<int> threads(size);
    for (int i = 0; i < size; ++i) threads[i] = i;
    for (const auto& answer : answers_of(find_in_block{seed(), false}, size)) {
      ASSERT_TRUE(is_right_extreme<float>(answer, 0, 0, threads)) << "in a block of " << size;
    }
  }
}

TEST(group_arg, finds_the_extremes_of_tiles_of_several_warps) {
  HEDDLE_NAME_SEED();
  const auto answers = answers_of(find_in_block{seed(), true}, 512);
  for (int thread = 0; thread < 512; ++thread) {
    std::vector<int> tile(128);
    for (int i = 0; i < 128; ++i) tile[i] = thread / 128 * 128 + i;
    ASSERT_TRUE(is_right_extreme<float>(answers[thread], 0, 0, tile)) << "thread " << thread;
  }
}

}  // namespace
