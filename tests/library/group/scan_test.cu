// group's scans against plain loops over the members of a group.
#include <heddle/group/scan.cuh>

#include "support/operators.cuh"
#include "support/runs.cuh"
#include "support/sides.cuh"
#include "support/values.cuh"

namespace {
using namespace heddle_test;
namespace cg = cooperative_groups;
namespace group = heddle::group;

template <typename T>
struct scans {
  T including;
  T before;
  T from_initial;
};

template <typename T>
__host__ __device__ T initial_of(std::uint64_t seed) {
  return value_at<T>(seed, -1);
}

// All three scans; only the first member's initial value counts.
template <typename T, typename Op>
struct scan_members {
  using answer = scans<T>;
  std::uint64_t seed;
  template <typename Group>
  __device__ scans<T> operator()(const Group& members) const {
    const T value = value_at<T>(seed, place_in_grid());
    const bool is_first = members.thread_rank() == 0;
    const T initial = is_first ? initial_of<T>(seed) : value;
    return {group::inclusive_scan(members, value, Op{}),
            group::exclusive_scan(members, value, Op{}),
            group::exclusive_scan_from(members, initial, value, Op{})};
  }
  __device__ scans<T> operator()(const group::lanes& members) const { return of_lanes(members); }
  __device__ scans<T> operator()(const group::part& members) const { return of_lanes(members); }
  template <typename Lanes>
  __device__ scans<T> of_lanes(const Lanes& members) const {
    const T value = value_at<T>(seed, place_in_grid());
    const T initial = members.rank() == 0 ? initial_of<T>(seed) : value;
    return {group::inclusive_scan(members, value, Op{}),
            group::exclusive_scan(members, value, Op{}),
            group::exclusive_scan_from(members, initial, value, Op{})};
  }
};

template <typename T, typename Op>
bool is_right_scan(const scans<T>& answer, int first, int place, const std::vector<int>& members) {
  const Op op{};
  T before = heddle::identity<Op, T>(), from_initial = initial_of<T>(seed());
  for (int i = 0; i < place; ++i) {
    const T value = value_at<T>(seed(), first + members[i]);
    before = i == 0 ? value : op(before, value);
    from_initial = op(from_initial, value);
  }
  const T own = value_at<T>(seed(), first + members[place]);
  const T including = place == 0 ? own : op(before, own);
  return answer.including == including && answer.before == before &&
         answer.from_initial == from_initial;
}

template <typename T, typename Op>
void expect_scans() {
  HEDDLE_NAME_SEED();
  expect_on_both_sides(scan_members<T, Op>{seed()}, is_right_scan<T, Op>);
  expect_on_all_runs(scan_members<T, Op>{seed()}, is_right_scan<T, Op>);
  expect_in_tiles(scan_members<T, Op>{seed()}, is_right_scan<T, Op>);
}

TEST(group_scan, is_exact_for_integers_of_any_set_of_lanes) {
  expect_scans<std::int32_t, heddle::plus>();
  expect_scans<std::int64_t, heddle::maximum>();
}

TEST(group_scan, sums_floats_of_any_set_of_lanes) { expect_scans<float, heddle::plus>(); }

TEST(group_scan, keeps_the_order_of_ranks_when_the_operator_does_not_commute) {
  expect_scans<affine, then>();
}

// Each scan twice in a row on one scratch; the last results count.
template <typename T, typename Op, typename Group, typename Scratch>
__device__ scans<T> scan_twice(const Group& members, std::uint64_t seed, Scratch& scratch) {
  const T value = value_at<T>(seed, heddle::thread_rank());
  const T initial = initial_of<T>(seed);
  scans<T> found{};
  for (int turn = 0; turn < 2; ++turn) {
    const T brought = turn == 0 ? initial : value;
    found.including = group::inclusive_scan(members, brought, Op{}, scratch);
    found.before = group::exclusive_scan(members, brought, Op{}, scratch);
    found.from_initial = group::exclusive_scan_from(members, initial, brought, Op{}, scratch);
  }
  return found;
}

template <typename T, typename Op>
struct scan_block {
  std::uint64_t seed;
  __device__ scans<T> operator()() const {
    __shared__ group::scratch<T> scratch;
    return scan_twice<T, Op>(cg::this_thread_block(), seed, scratch);
  }
};

template <typename T, typename Op>
void expect_block_scans() {
  HEDDLE_NAME_SEED();
  for (const dim3 shape :
       {dim3(1), dim3(31), dim3(32), dim3(33), dim3(64), dim3(100), dim3(256), dim3(257),
        dim3(1000), dim3(1024), dim3(8, 4, 2), dim3(5, 7, 3), dim3(3, 33)}) {
    const int size = static_cast<int>(shape.x * shape.y * shape.z);
    std::vector<int> threads(size);
    for (int i = 0; i < size; ++i) threads[i] = i;
    const auto answers = answers_of(scan_block<T, Op>{seed()}, shape);
    for (int i = 0; i < size; ++i) {
      const bool is_right = is_right_scan<T, Op>(answers[i], 0, i, threads);
      ASSERT_TRUE(is_right) << "thread " << i << " of " << size;
    }
  }
}

TEST(group_scan, scans_blocks_of_any_shape_twice_on_one_scratch) {
  expect_block_scans<std::int32_t, heddle::plus>();
  expect_block_scans<affine, then>();
}

struct scan_large_tiles {
  std::uint64_t seed;
  int size;
  template <unsigned tile_size>
  __device__ scans<affine> in_tiles_of() const {
    __shared__ group::scratch<affine, tile_size> scratch[1024 / tile_size];
    const auto tile = cg::tiled_partition<tile_size>(cg::this_thread_block());
    return scan_twice<affine, then>(tile, seed, scratch[tile.meta_group_rank()]);
  }
  __device__ scans<affine> operator()() const {
    switch (size) {
      case 64:
        return in_tiles_of<64>();
      case 128:
        return in_tiles_of<128>();
      case 256:
        return in_tiles_of<256>();
      default:
        return in_tiles_of<512>();
    }
  }
};

TEST(group_scan, scans_tiles_of_several_warps_twice_on_one_scratch) {
  HEDDLE_NAME_SEED();
  for (const int size : {64, 128, 256, 512}) {
    const auto answers = answers_of(scan_large_tiles{seed(), size}, 1024);
    for (int thread = 0; thread < 1024; ++thread) {
      std::vector<int> tile(size);
      for (int i = 0; i < size; ++i) tile[i] = thread / size * size + i;
      const bool is_right = is_right_scan<affine, then>(answers[thread], 0, thread % size, tile);
      ASSERT_TRUE(is_right) << "thread " << thread << " in tiles of " << size;
    }
  }
}

}  // namespace
