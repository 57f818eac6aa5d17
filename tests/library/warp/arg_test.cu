// arg_max, arg_min and related functions against plain loops: ties, NaN, both zeros and limits.
#include <heddle/warp/arg.cuh>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
namespace warp = heddle::warp;
using heddle::lane_id;

constexpr int threads = 1024;
constexpr int widths = 6;  // 1, 2, 4, 8, 16 and 32 lanes: 1 << 0 … 1 << 5

template <typename T, typename Index>
struct results {
  warp::indexed<T, Index> largest, smallest;
  int lane_of_largest, lane_of_smallest;
};
template <typename T, typename Index>
struct results_of_widths {
  results<T, Index> of[widths];
};

template <typename T, typename Index>
struct find_extremes {
  const T* values;
  const Index* indices;

  template <int width>
  __device__ results<T, Index> find() const {
    const T value = values[threadIdx.x];
    const Index index = indices[threadIdx.x];
    return {warp::arg_max<width>(value, index), warp::arg_min<width>(value, index),
            warp::lane_of_max<width>(value), warp::lane_of_min<width>(value)};
  }
  __device__ results_of_widths<T, Index> operator()() const {
    return {{find<1>(), find<2>(), find<4>(), find<8>(), find<16>(), find<32>()}};
  }
};

// A type that the host can compare.
template <typename T>
auto comparable(T value) {
  if constexpr (heddle::is_short_float<T>) {
    return static_cast<float>(value);
  } else {
    return value;
  }
}
template <typename T>
bool is_nan(T value) {
  return comparable(value) != comparable(value);
}
template <typename T>
bool is_same(T a, T b) {
  return is_nan(a) ? is_nan(b) : std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <typename T>
T special(std::uint64_t choice) {
  if constexpr (std::is_integral_v<T>) {
    using limits = std::numeric_limits<T>;
    const T values[] = {limits::max(), limits::lowest(), T{0}, T{1}, static_cast<T>(~T{0}), T{7}};
    return values[choice % 6];
  } else {
    using limits = std::numeric_limits<float>;
    const float values[] = {limits::quiet_NaN(),
                            -limits::quiet_NaN(),
                            -limits::infinity(),
                            limits::infinity(),
                            -0.0f,
                            0.0f,
                            0x1p-14f,
                            -0x1p-14f,
                            1.0f,
                            -1.0f,
                            0x1p-24f,
                            -0x1p-24f};
    return static_cast<T>(values[choice % 12]);
  }
}

// Several kinds of warps: special values with many ties, a few of them among NaN, zeros and NaN,
// only NaN (if the type has it), and random numbers.
template <typename T>
std::vector<T> values_with_traps() {
  std::vector<T> values;
  for (int thread = 0; thread < threads; ++thread) {
    const std::uint64_t bits = sample_bits(seed(), thread);
    switch (thread / 32 % 5) {
      case 0:
        values.push_back(special<T>(bits));
        break;
      case 1:
        values.push_back(special<T>(bits % 32 == 0 ? bits >> 32 : 0));
        break;
      case 2:
        values.push_back(special<T>(bits % 2 == 0 ? 0 : 4 + bits / 2 % 2));
        break;
      case 3:
        values.push_back(special<T>(bits % 2));
        break;
      default:
        values.push_back(sample<T>(seed(), thread));
    }
  }
  return values;
}

// Distinct indices in no order; with 64 bits, both words matter.
template <typename Index>
std::vector<Index> shuffled_indices() {
  std::vector<Index> indices;
  for (int thread = 0; thread < threads; ++thread) {
    const int mixed = (thread * 13 + thread / 32 * 5) % 32 - 16;
    if constexpr (sizeof(Index) == 8) {
      indices.push_back(static_cast<Index>(mixed >> 2) * (Index{1} << 32) +
                        static_cast<Index>(mixed & 3) * 0x50000000);
    } else {
      indices.push_back(static_cast<Index>(mixed * 0x7000000));
    }
  }
  return indices;
}

// True if the host prefers `b` to `a`.
template <typename T, typename Place>
bool is_preferred(T a, Place at_a, T b, Place at_b, bool largest) {
  if (is_nan(a) || is_nan(b)) return is_nan(a) == is_nan(b) ? at_b < at_a : is_nan(a);
  if (comparable(a) == comparable(b)) return at_b < at_a;
  return (comparable(a) < comparable(b)) == largest;
}

template <typename T, typename Index>
void expect_extremes() {
  const auto values = values_with_traps<T>();
  const auto indices = shuffled_indices<Index>();
  const device_array<T> device_values(values);
  const device_array<Index> device_indices(indices);
  const auto answers =
      answers_of(find_extremes<T, Index>{device_values.data(), device_indices.data()}, threads);
  for (int thread = 0; thread < threads; ++thread) {
    for (int power = 0; power < widths; ++power) {
      const int width = 1 << power, first = thread / width * width;
      int at[2] = {first, first}, lanes[2] = {first, first};  // of the smallest, of the largest
      for (int other = first + 1; other < first + width; ++other) {
        for (int largest = 0; largest < 2; ++largest) {
          int& best = at[largest];
          if (is_preferred(values[best], indices[best], values[other], indices[other], largest)) {
            best = other;
          }
          int& lane = lanes[largest];
          if (is_preferred(values[lane], lane, values[other], other, largest)) lane = other;
        }
      }
      const auto& answer = answers[thread].of[power];
      EXPECT_TRUE(is_same(answer.smallest.value, values[at[0]]) &&
                  answer.smallest.index == indices[at[0]] &&
                  is_same(answer.largest.value, values[at[1]]) &&
                  answer.largest.index == indices[at[1]])
          << "thread " << thread << ", width " << width << ", " << __PRETTY_FUNCTION__;
      EXPECT_EQ(answer.lane_of_smallest, lanes[0] % 32) << thread << ", width " << width;
      EXPECT_EQ(answer.lane_of_largest, lanes[1] % 32) << thread << ", width " << width;
    }
  }
}

TEST(warp_arg_max, finds_floats_with_the_smallest_index_and_lets_nan_lose) {
  HEDDLE_NAME_SEED();
  expect_extremes<float, int>();
}

TEST(warp_arg_max, finds_doubles_with_indices_of_64_bits) {
  HEDDLE_NAME_SEED();
  expect_extremes<double, std::int64_t>();
}

TEST(warp_arg_max, finds_integers_up_to_the_ends_of_their_ranges) {
  HEDDLE_NAME_SEED();
  expect_extremes<std::int32_t, std::int64_t>();
  expect_extremes<std::uint32_t, int>();
  expect_extremes<std::int8_t, int>();
  expect_extremes<std::uint64_t, std::uint32_t>();
}

TEST(warp_arg_max, finds_half_and_bfloat16) {
  HEDDLE_NAME_SEED();
  expect_extremes<__half, int>();
  expect_extremes<__nv_bfloat16, int>();
}

// The replacement for the reduction instruction on GPUs without it: both sides of a mask look for
// their smallest word, each in its own branch.
struct find_smallest_words {
  const heddle::lane_mask* masks;
  std::uint64_t seed;
  template <typename Word>
  __device__ Word find() const {
    const heddle::lane_mask mask = masks[blockIdx.x];
    const auto mine = static_cast<Word>(sample_bits(seed, 32 * blockIdx.x + threadIdx.x) >> 7);
    if (heddle::contains(mask, lane_id())) return warp::detail::smallest_by_shuffles(mask, mine);
    return warp::detail::smallest_by_shuffles(~mask, mine);
  }
  __device__ std::int64_t operator()() const {
    const auto with_sign = static_cast<std::uint32_t>(find<std::int32_t>());
    return static_cast<std::int64_t>(std::uint64_t{find<std::uint32_t>()} << 32 | with_sign);
  }
};

TEST(warp_arg_max, finds_the_smallest_word_of_any_lanes_by_shuffles) {
  HEDDLE_NAME_SEED();
  std::vector<heddle::lane_mask> masks{0xffffffffu, 0x80000000u, 0x80000021u};
  for (int size = 1; size < 32; ++size) masks.push_back(0xffffffffu >> size);
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t bits = sample_bits(seed() + 1, i);
    masks.push_back(static_cast<heddle::lane_mask>(i % 2 == 0 ? bits : bits & bits >> 32));
  }
  const device_array<heddle::lane_mask> on_device(masks);
  // A block of 32 threads has all lanes; a block of 20 lacks some that the masks name.
  for (const int size : {32, 20}) {
    const auto answers = answers_of(find_smallest_words{on_device.data(), seed()}, size,
                                    static_cast<unsigned>(masks.size()));
    for (int block = 0; block < static_cast<int>(masks.size()); ++block) {
      for (int lane = 0; lane < size; ++lane) {
        std::int32_t with_sign = INT32_MAX;
        std::uint32_t without = UINT32_MAX;
        for (int other = 0; other < size; ++other) {
          if ((masks[block] >> other & 1) != (masks[block] >> lane & 1)) continue;
          const std::uint64_t word = sample_bits(seed(), 32 * block + other) >> 7;
          with_sign = std::min(with_sign, static_cast<std::int32_t>(word));
          without = std::min(without, static_cast<std::uint32_t>(word));
        }
        const auto answer = static_cast<std::uint64_t>(answers[block * size + lane]);
        ASSERT_EQ(static_cast<std::int32_t>(answer), with_sign) << lane << " of " << masks[block];
        ASSERT_EQ(answer >> 32, without) << lane << " of " << masks[block];
      }
    }
  }
}

struct circle {
  double radius;
  float centre[13];
  char mark;
};

struct is_smaller {
  __host__ __device__ bool operator()(const circle& a, const circle& b) const {
    return a.radius < b.radius;
  }
};

// Radii 0 … 4, each several times, with descending indices.
struct find_smallest_circle {
  __device__ warp::indexed<circle, std::int64_t> operator()() const {
    circle mine{};
    mine.radius = (lane_id() * 7 + 3) % 5;
    mine.centre[12] = static_cast<float>(lane_id());
    mine.mark = 'x';
    return warp::arg_best<16>(mine, std::int64_t{100} - lane_id(), is_smaller{});
  }
};

TEST(warp_arg_best, takes_structs_and_a_custom_order) {
  const auto answers = answers_of(find_smallest_circle{});
  for (int lane = 0; lane < 32; ++lane) {
    int best = lane / 16 * 16 + 15;
    for (int other = best - 1; other >= lane / 16 * 16; --other) {
      if ((other * 7 + 3) % 5 < (best * 7 + 3) % 5) best = other;
    }
    EXPECT_EQ(answers[lane].index, 100 - best) << lane;
    EXPECT_EQ(answers[lane].value.radius, (best * 7 + 3) % 5) << lane;
    EXPECT_EQ(answers[lane].value.centre[12], static_cast<float>(best)) << lane;
    EXPECT_EQ(answers[lane].value.mark, 'x');
  }
}

// The tiles of four lanes that `chosen` names look for the largest, the others for the smallest.
struct find_in_branches {
  heddle::lane_mask chosen;
  std::uint64_t seed;
  __device__ int in_own_branch() const {
    const float mine = sample<float>(seed, threadIdx.x);
    if (heddle::contains(chosen, lane_id())) {
      return warp::arg_max<4>(mine, static_cast<int>(threadIdx.x), chosen).index;
    }
    int answer = 0;
    for (int call = 0; call < 2; ++call) {
      answer = warp::arg_min<4>(mine, static_cast<int>(threadIdx.x), ~chosen).index;
    }
    return answer;
  }
  // All lanes synchronise afterwards, so a branch that waits for the other one would hang: the
  // other one calls twice.
  __device__ int operator()() const {
    const int answer = in_own_branch();
    __syncwarp();
    return answer;
  }
};

TEST(warp_arg_max, serves_callers_in_different_branches) {
  HEDDLE_NAME_SEED();
  for (int round = 0; round < 8; ++round) {
    heddle::lane_mask chosen = 0;
    for (int tile = 0; tile < 8; ++tile) {
      if (sample_bits(seed(), round) >> tile & 1) chosen |= 0xfu << 4 * tile;
    }
    const auto answers = answers_of(find_in_branches{chosen, seed()}, 64);
    for (int thread = 0; thread < 64; ++thread) {
      const bool largest = chosen >> thread % 32 & 1;
      int best = thread / 4 * 4;
      for (int other = best + 1; other < thread / 4 * 4 + 4; ++other) {
        if (is_preferred(sample<float>(seed(), best), best, sample<float>(seed(), other), other,
                         largest)) {
          best = other;
        }
      }
      EXPECT_EQ(answers[thread], best) << thread << ", chosen " << chosen;
    }
  }
}

}  // namespace
