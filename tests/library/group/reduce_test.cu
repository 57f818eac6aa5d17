// group::reduce and reduce_to_first against plain loops over the members of a group.
#include <heddle/group/reduce.cuh>

#include <cmath>
#include <cstring>

#include "support/operators.cuh"
#include "support/runs.cuh"
#include "support/sides.cuh"
#include "support/values.cuh"

namespace {
using namespace heddle_test;
namespace cg = cooperative_groups;
using heddle::lane_id;

template <typename T, typename Op, bool to_first>
struct reduction {
  using answer = T;
  std::uint64_t seed;
  template <typename Group>
  __device__ T operator()(const Group& group) const {
    const T value = value_at<T>(seed, place_in_grid());
    if constexpr (to_first) return heddle::group::reduce_to_first(group, value, Op{});
    return heddle::group::reduce(group, value, Op{});
  }
};

template <typename T, typename Op>
T fold(int first, const std::vector<int>& members, Op op) {
  T result = value_at<T>(seed(), first + members[0]);
  for (std::size_t i = 1; i < members.size(); ++i) {
    result = op(result, value_at<T>(seed(), first + members[i]));
  }
  return result;
}

template <typename T, typename Op, bool to_first = false>
void expect_reduction() {
  HEDDLE_NAME_SEED();
  const auto expected = [](const T& answer, int first, int place, const std::vector<int>& members) {
    return (to_first && place != 0) || answer == fold<T>(first, members, Op{});
  };
  expect_on_both_sides(reduction<T, Op, to_first>{seed()}, expected);
  expect_on_all_runs(reduction<T, Op, to_first>{seed()}, expected);
  expect_in_tiles(reduction<T, Op, to_first>{seed()}, expected);
}

TEST(group_reduce, is_exact_for_integers_of_any_set_of_lanes) {
  expect_reduction<std::int32_t, heddle::plus>();
  expect_reduction<std::uint16_t, heddle::minimum>();
  expect_reduction<std::int64_t, heddle::maximum>();
}

TEST(group_reduce, sums_floats_of_any_set_of_lanes) { expect_reduction<float, heddle::plus>(); }

TEST(group_reduce, keeps_the_order_of_ranks_when_the_operator_does_not_commute) {
  expect_reduction<affine, then>();
}

// Numbers whose sums depend on the order.
struct sum_roundings {
  using answer = float;
  std::uint64_t seed;
  template <typename Group>
  __device__ float operator()(const Group& group) const {
    const auto value = sample<float>(seed, static_cast<std::uint64_t>(place_in_grid()));
    return heddle::group::reduce(group, value);
  }
};

TEST(group_reduce, gives_every_member_the_same_bits_near_the_exact_sum) {
  HEDDLE_NAME_SEED();
  float of_first[64];  // of the group that begins with this lane; lanes are asked in order
  const auto is_right = [&](float answer, int first, int place, const std::vector<int>& members) {
    double exact = 0, magnitude = 0;
    for (const int member : members) {
      const auto value = sample<float>(seed(), static_cast<std::uint64_t>(first + member));
      exact += value;
      magnitude += std::abs(value);
    }
    if (place == 0) of_first[members[0]] = answer;
    // A member's value is rounded at most 31 times.
    return std::abs(answer - exact) <= 32 * 0x1p-24 * magnitude &&
           std::memcmp(&answer, &of_first[members[0]], sizeof answer) == 0;
  };
  expect_on_both_sides(sum_roundings{seed()}, is_right);
  expect_in_tiles(sum_roundings{seed()}, is_right);
}

TEST(group_reduce_to_first, gives_the_first_member_the_same) {
  expect_reduction<affine, then, true>();
  expect_reduction<float, heddle::plus, true>();
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

// Only lanes 0, 5 and 31; the others return at once.
struct reduce_three_structs {
  __device__ sixty_four_bytes operator()() const {
    const auto three = heddle::group::lanes::of(0, 5, 31);
    sixty_four_bytes mine{};
    for (int i = 0; i < 7; ++i) mine.sums[i] = lane_id() * 10 + i;
    mine.largest = static_cast<std::uint32_t>(lane_id() * 37 % 32);
    mine.mark = 'x';
    if (!heddle::contains(three.mask, lane_id())) return mine;
    return heddle::group::reduce(three, mine, add_all{});
  }
};

TEST(group_reduce, takes_structs_of_64_bytes_in_lanes_0_5_and_31) {
  const auto answers = answers_of(reduce_three_structs{});
  for (const int lane : {0, 5, 31}) {
    for (int i = 0; i < 7; ++i) EXPECT_EQ(answers[lane].sums[i], 360 + 3 * i) << lane;
    EXPECT_EQ(answers[lane].largest, 27u);
    EXPECT_EQ(answers[lane].mark, 'x');
  }
  EXPECT_EQ(answers[4].sums[0], 40);
}

struct sum_halves {
  using answer = float;
  template <typename Group>
  __device__ float operator()(const Group& group) const {
    const auto value = static_cast<__half>(lane_id() % 2 == 0 ? 2048.0f : 1.0f);
    return static_cast<float>(heddle::group::reduce(group, value));
  }
};

TEST(group_reduce, sums_halves_in_float_and_rounds_once) {
  const auto expected = [](float answer, int, int, const std::vector<int>& members) {
    float sum = 0;
    for (const int lane : members) sum += lane % 2 == 0 ? 2048.0f : 1.0f;
    return answer == static_cast<float>(static_cast<__half>(sum));
  };
  expect_on_both_sides(sum_halves{}, expected);
  expect_in_tiles(sum_halves{}, expected);
}

// Every third lane, and the others, each group in its own branch.
struct reduce_in_branches {
  __device__ int operator()() const {
    if (lane_id() % 3 == 1) {
      const auto third = heddle::group::lanes(0x92492492u);
      return heddle::group::reduce(third, lane_id());
    }
    const auto rest = heddle::group::lanes(~0x92492492u);
    return -static_cast<int>(heddle::group::reduce(rest, static_cast<float>(lane_id())));
  }
};

TEST(group_reduce, serves_groups_in_different_branches) {
  const auto answers = answers_of(reduce_in_branches{}, 64);
  for (int thread = 0; thread < 64; ++thread) {
    int third = 0;
    for (int lane = 1; lane < 32; lane += 3) third += lane;
    EXPECT_EQ(answers[thread], thread % 32 % 3 == 1 ? third : third - 496) << thread;
  }
}

// Reduces twice in a row on one scratch; the second call depends on the first one's result.
template <typename T, typename Op>
struct reduce_block_twice {
  std::uint64_t seed;
  __device__ T operator()() const {
    __shared__ heddle::group::scratch<T> scratch;
    const auto block = cg::this_thread_block();
    const T value = value_at<T>(seed, heddle::thread_rank());
    const T once = heddle::group::reduce(block, value, Op{}, scratch);
    return heddle::group::reduce(block, heddle::thread_rank() == 0 ? once : value, Op{}, scratch);
  }
};

template <typename T, typename Op>
void expect_block_reductions() {
  HEDDLE_NAME_SEED();
  for (const dim3 shape :
       {dim3(1), dim3(31), dim3(32), dim3(33), dim3(64), dim3(100), dim3(256), dim3(257), dim3(288),
        dim3(1000), dim3(1024), dim3(8, 4, 2), dim3(5, 7, 3), dim3(3, 33), dim3(32, 32)}) {
    const int size = static_cast<int>(shape.x * shape.y * shape.z);
    std::vector<int> threads(size);
    for (int i = 0; i < size; ++i) threads[i] = i;
    T expected = fold<T>(0, threads, Op{});
    for (int i = 1; i < size; ++i) expected = Op{}(expected, value_at<T>(seed(), i));
    const auto answers = answers_of(reduce_block_twice<T, Op>{seed()}, shape);
    for (int i = 0; i < size; ++i) {
      ASSERT_TRUE(answers[i] == expected) << "thread " << i << " of " << size;
    }
  }
}

TEST(group_reduce, reduces_blocks_of_any_shape_twice_on_one_scratch) {
  expect_block_reductions<std::int32_t, heddle::plus>();
  expect_block_reductions<affine, then>();
}

template <typename T, typename Op>
struct reduce_large_tiles {
  std::uint64_t seed;
  int size;
  template <unsigned tile_size>
  __device__ T in_tiles_of() const {
    __shared__ heddle::group::scratch<T, tile_size> scratch[1024 / tile_size];
    const auto tile = cg::tiled_partition<tile_size>(cg::this_thread_block());
    auto& own = scratch[tile.meta_group_rank()];
    const T value = value_at<T>(seed, heddle::thread_rank());
    const T once = heddle::group::reduce(tile, value, Op{}, own);
    return heddle::group::reduce(tile, tile.thread_rank() == 0 ? once : value, Op{}, own);
  }
  __device__ T operator()() const {
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

TEST(group_reduce, reduces_tiles_of_several_warps_twice_on_one_scratch) {
  HEDDLE_NAME_SEED();
  for (const int size : {64, 128, 256, 512}) {
    const auto answers = answers_of(reduce_large_tiles<affine, then>{seed(), size}, 1024);
    for (int first = 0; first < 1024; first += size) {
      std::vector<int> threads(size);
      for (int i = 0; i < size; ++i) threads[i] = first + i;
      affine expected = fold<affine>(0, threads, then{});
      for (int i = 1; i < size; ++i) {
        expected = then{}(expected, value_at<affine>(seed(), first + i));
      }
      for (int i = 0; i < size; ++i) {
        ASSERT_TRUE(answers[first + i] == expected) << "thread " << i << " of a tile of " << size;
      }
    }
  }
}

struct sum_block_of_halves {
  __device__ float operator()() const {
    __shared__ heddle::group::scratch<__half> scratch;
    const auto value = static_cast<__half>(heddle::thread_rank() % 2 == 0 ? 512.0f : 0.25f);
    return static_cast<float>(
        heddle::group::reduce(cg::this_thread_block(), value, heddle::plus{}, scratch));
  }
};

TEST(group_reduce, sums_a_block_of_halves_in_float) {
  for (const float answer : answers_of(sum_block_of_halves{}, 100)) {
    EXPECT_EQ(answer, static_cast<float>(static_cast<__half>(50 * 512.25f)));
  }
}

}  // namespace
