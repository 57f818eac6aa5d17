// Segmented scans and reductions against plain loops, for all flag patterns of a tile.
#include <heddle/warp/segmented.cuh>

#include "support/on_device.cuh"
#include "support/operators.cuh"
#include "support/samples.cuh"
#include "support/scan_values.cuh"

namespace {
using namespace heddle_test;
namespace warp = heddle::warp;
using heddle::lane_id;

template <typename T>
struct results {
  T inclusive, exclusive, exclusive_from, to_first, everywhere;
  warp::segment own;
};

// Bit i of flags[tile's number in the grid] is the flag of lane i of that tile.
template <int width, typename T, typename Op>
struct scan_segments {
  std::uint64_t seed;
  const std::uint32_t* flags;

  __device__ results<T> operator()() const {
    const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const T mine = value_of<T>(seed, thread);
    const T initial = initial_of<T>(seed, thread);
    const bool head = flags[thread / width] >> thread % width & 1;
    return {warp::segmented_inclusive_scan<width>(mine, head, Op{}),
            warp::segmented_exclusive_scan<width>(mine, head, Op{}),
            warp::segmented_exclusive_scan_from<width>(initial, mine, head, Op{}),
            warp::segmented_reduce_to_first<width>(mine, head, Op{}),
            warp::segmented_reduce<width>(mine, head, Op{}),
            warp::segment_of<width>(head)};
  }
};

template <int width, typename T, typename Op>
void expect_what_loops_give(const std::vector<std::uint32_t>& flags) {
  const Op op{};
  const device_array<std::uint32_t> copy(flags);
  const int threads = static_cast<int>(flags.size()) * width;
  const auto answers =
      answers_of(scan_segments<width, T, Op>{seed(), copy.data()}, 128, threads / 128);
  const auto is_head = [&](int thread) {
    return thread % width == 0 || (flags[thread / width] >> thread % width & 1);
  };
  for (int first = 0, end; first < threads; first = end) {
    end = first + 1;
    while (end < threads && !is_head(end)) ++end;
    T before = heddle::identity<Op, T>(), before_from = initial_of<T>(seed(), first), including{};
    for (int thread = first; thread < end; ++thread) {
      const T mine = value_of<T>(seed(), thread);
      including = thread == first ? mine : op(including, mine);
      const results<T>& answer = answers[thread];
      const bool is_right = answer.inclusive == including && answer.exclusive == before &&
                            answer.exclusive_from == before_from &&
                            answer.own.first == first % 32 && answer.own.last == (end - 1) % 32;
      EXPECT_TRUE(is_right) << "lane " << thread % width << " of flags " << flags[thread / width]
                            << ", " << __PRETTY_FUNCTION__;
      before = including;
      before_from = op(before_from, mine);
    }
    EXPECT_TRUE(answers[first].to_first == including) << "flags " << flags[first / width];
    for (int thread = first; thread < end; ++thread) {
      EXPECT_TRUE(answers[thread].everywhere == including) << "flags " << flags[thread / width];
    }
  }
}

std::vector<std::uint32_t> all_patterns_of_eight() {
  std::vector<std::uint32_t> flags;
  for (std::uint32_t pattern = 0; pattern < 256; ++pattern) flags.push_back(pattern);
  return flags;
}

// From hardly any to nearly all lanes flagged.
std::vector<std::uint32_t> random_patterns() {
  std::vector<std::uint32_t> flags{0, ~0u, 1u << 31, 0x55555555u};
  for (int i = 0; flags.size() < 64; ++i) {
    const auto bits = [i](int k) {
      return static_cast<std::uint32_t>(sample_bits(seed(), 8 * i + k));
    };
    const std::uint32_t few = bits(0) & bits(1) & bits(2);
    flags.push_back(i % 3 == 0 ? few : i % 3 == 1 ? bits(3) : ~few);
  }
  return flags;
}

TEST(warp_segmented, keeps_segments_apart_and_lane_order_for_every_pattern_of_eight_lanes) {
  expect_what_loops_give<8, interval, join>(all_patterns_of_eight());
}

TEST(warp_segmented, is_exact_for_integers_for_every_pattern_of_eight_lanes) {
  HEDDLE_NAME_SEED();
  expect_what_loops_give<8, std::uint32_t, heddle::plus>(all_patterns_of_eight());
  expect_what_loops_give<8, std::int64_t, heddle::minimum>(all_patterns_of_eight());
}

TEST(warp_segmented, keeps_segments_apart_and_lane_order_in_a_whole_warp) {
  HEDDLE_NAME_SEED();
  expect_what_loops_give<32, interval, join>(random_patterns());
}

TEST(warp_segmented, is_exact_for_sums_in_a_whole_warp) {
  HEDDLE_NAME_SEED();
  expect_what_loops_give<32, std::uint32_t, heddle::plus>(random_patterns());
  expect_what_loops_give<32, float, heddle::plus>(random_patterns());
}

TEST(warp_segmented, takes_tiles_of_one_two_and_sixteen_lanes) {
  HEDDLE_NAME_SEED();
  std::vector<std::uint32_t> flags;
  for (int i = 0; i < 128; ++i) flags.push_back(static_cast<std::uint16_t>(sample_bits(seed(), i)));
  expect_what_loops_give<1, interval, join>(flags);
  expect_what_loops_give<2, interval, join>(flags);
  expect_what_loops_give<16, interval, join>(flags);
}

struct short_sums {
  __half inclusive, exclusive, from, to_first, everywhere;
};

// Each half of the warp holds 2048 and fifteen ones; in half, 2048 + 1 is 2048.
struct scan_halves {
  __device__ short_sums operator()() const {
    const bool head = lane_id() % 16 == 0;
    const auto mine = static_cast<__half>(head ? 2048.0f : 1.0f);
    const auto one = static_cast<__half>(1.0f), start = static_cast<__half>(2048.0f);
    return {warp::segmented_inclusive_scan(mine, head), warp::segmented_exclusive_scan(mine, head),
            warp::segmented_exclusive_scan_from(start, one, head),
            warp::segmented_reduce_to_first(mine, head), warp::segmented_reduce(mine, head)};
  }
};

TEST(warp_segmented, adds_half_in_float) {
  const auto answers = answers_of(scan_halves{});
  const auto rounded = [](int value) {
    return static_cast<float>(static_cast<__half>(static_cast<float>(value)));
  };
  for (int lane = 0; lane < 32; ++lane) {
    const int place = lane % 16;
    const short_sums& answer = answers[lane];
    EXPECT_EQ(static_cast<float>(answer.inclusive), rounded(2048 + place)) << lane;
    EXPECT_EQ(static_cast<float>(answer.exclusive), rounded(place == 0 ? 0 : 2047 + place)) << lane;
    EXPECT_EQ(static_cast<float>(answer.from), rounded(2048 + place)) << lane;
    if (place == 0) {
      EXPECT_EQ(static_cast<float>(answer.to_first), rounded(2063)) << lane;
    }
    EXPECT_EQ(static_cast<float>(answer.everywhere), rounded(2063)) << lane;
  }
}

struct sixty_four_bytes {
  std::int32_t sums[16];
};

struct add_all {
  __host__ __device__ sixty_four_bytes operator()(const sixty_four_bytes& a,
                                                  const sixty_four_bytes& b) const {
    sixty_four_bytes sum = a;
    for (int i = 0; i < 16; ++i) sum.sums[i] += b.sums[i];
    return sum;
  }
};

struct reduce_structs {
  __device__ sixty_four_bytes operator()() const {
    sixty_four_bytes mine;
    for (int i = 0; i < 16; ++i) mine.sums[i] = lane_id() * 1000 + i;
    return warp::segmented_reduce(mine, lane_id() % 5 == 0, add_all{});
  }
};

TEST(warp_segmented, takes_structs_of_64_bytes_and_operators_without_identity) {
  const auto answers = answers_of(reduce_structs{});
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 16; ++i) {
      int sum = 0;
      for (int other = lane / 5 * 5; other < std::min(32, lane / 5 * 5 + 5); ++other) {
        sum += other * 1000 + i;
      }
      EXPECT_EQ(answers[lane].sums[i], sum) << "lane " << lane;
    }
  }
}

// The tiles of four lanes in `chosen` scan in one branch, the others in another; every third lane
// begins a segment.
struct scan_in_branches {
  heddle::lane_mask chosen;
  __device__ int in_own_branch() const {
    const bool head = lane_id() % 3 == 0;
    if (heddle::contains(chosen, lane_id())) {
      return warp::segmented_inclusive_scan<4>(lane_id(), head, {}, chosen);
    }
    int answer = 0;
    for (int call = 0; call < 2; ++call) {
      answer = -warp::segmented_reduce<4>(lane_id(), head, heddle::plus{}, ~chosen);
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

TEST(warp_segmented, serves_callers_in_different_branches) {
  HEDDLE_NAME_SEED();
  for (int round = 0; round < 8; ++round) {
    heddle::lane_mask chosen = 0;
    for (int tile = 0; tile < 8; ++tile) {
      if (sample_bits(seed(), round) >> tile & 1) chosen |= 0xfu << 4 * tile;
    }
    const auto answers = answers_of(scan_in_branches{chosen}, 64);
    for (int thread = 0; thread < 64; ++thread) {
      const int lane = thread % 32;
      int first = lane, end = lane + 1;
      while (first % 4 != 0 && first % 3 != 0) --first;
      while (end % 4 != 0 && end % 3 != 0) ++end;
      int up_to_own = 0, whole = 0;
      for (int other = first; other < end; ++other) {
        up_to_own += other <= lane ? other : 0;
        whole += other;
      }
      EXPECT_EQ(answers[thread], chosen >> lane & 1 ? up_to_own : -whole)
          << thread << ", chosen " << chosen;
    }
  }
}

}  // namespace
