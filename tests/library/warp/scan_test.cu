// The scans of a warp against plain loops over the lanes of a tile.
#include <heddle/warp/scan.cuh>

#include <cmath>

#include "support/on_device.cuh"
#include "support/operators.cuh"
#include "support/samples.cuh"
#include "support/scan_values.cuh"

namespace {
using namespace heddle_test;
namespace warp = heddle::warp;
using heddle::lane_id;

constexpr int threads = 64;
constexpr int widths = 6;  // 1, 2, 4, 8, 16 and 32 lanes: 1 << 0 … 1 << 5

template <typename T>
struct results {
  T inclusive, exclusive, inclusive_from, exclusive_from, before, including, total;
};
template <typename T>
struct results_of_widths {
  results<T> of[widths];
};

template <typename T, typename Op>
struct scan_in_every_way {
  std::uint64_t seed;

  template <int width>
  __device__ results<T> scan() const {
    const int thread = static_cast<int>(threadIdx.x);
    const T mine = value_of<T>(seed, thread);
    const T initial = initial_of<T>(seed, thread);  // only the first lane's counts
    const auto all = warp::scan_with_total<width>(mine, Op{});
    return {warp::inclusive_scan<width>(mine, Op{}),
            warp::exclusive_scan<width>(mine, Op{}),
            warp::inclusive_scan_from<width>(initial, mine, Op{}),
            warp::exclusive_scan_from<width>(initial, mine, Op{}),
            all.before,
            all.including,
            all.total};
  }
  __device__ results_of_widths<T> operator()() const {
    return {{scan<1>(), scan<2>(), scan<4>(), scan<8>(), scan<16>(), scan<32>()}};
  }
};

template <typename T, typename Op>
void expect_what_loops_give() {
  const auto answers = answers_of(scan_in_every_way<T, Op>{seed()}, threads);
  for (int power = 0; power < widths; ++power) {
    const int width = 1 << power;
    for (int first = 0; first < threads; first += width) {
      const Op op{};
      const T initial = initial_of<T>(seed(), first);
      T before = heddle::identity<Op, T>(), before_from = initial, including{}, including_from{};
      for (int thread = first; thread < first + width; ++thread) {
        const T mine = value_of<T>(seed(), thread);
        including = thread == first ? mine : op(including, mine);
        including_from = op(before_from, mine);
        const results<T>& answer = answers[thread].of[power];
        const bool is_right = answer.inclusive == including && answer.exclusive == before &&
                              answer.inclusive_from == including_from &&
                              answer.exclusive_from == before_from && answer.before == before &&
                              answer.including == including;
        EXPECT_TRUE(is_right) << "thread " << thread << ", width " << width << ", "
                              << __PRETTY_FUNCTION__;
        before = including;
        before_from = including_from;
      }
      for (int thread = first; thread < first + width; ++thread) {
        EXPECT_TRUE(answers[thread].of[power].total == including) << thread << ", width " << width;
      }
    }
  }
}

TEST(warp_scan, is_exact_for_integers_of_every_width) {
  HEDDLE_NAME_SEED();
  expect_what_loops_give<std::uint32_t, heddle::plus>();
  expect_what_loops_give<std::uint8_t, heddle::plus>();
  expect_what_loops_give<std::int64_t, heddle::maximum>();
}

TEST(warp_scan, is_exact_for_operators_other_than_plus) {
  HEDDLE_NAME_SEED();
  expect_what_loops_give<std::uint32_t, heddle::bit_xor>();
  expect_what_loops_give<bool, heddle::logical_or>();
}

TEST(warp_scan, is_exact_for_floats_with_exact_sums) {
  HEDDLE_NAME_SEED();
  expect_what_loops_give<float, heddle::plus>();
  expect_what_loops_give<double, heddle::plus>();
  expect_what_loops_give<float, heddle::minimum>();
}

TEST(warp_scan, keeps_lane_order_when_the_operator_does_not_commute) {
  HEDDLE_NAME_SEED();
  expect_what_loops_give<interval, join>();
  expect_what_loops_give<affine, then>();
}

struct scan_floats {
  std::uint64_t seed;
  __device__ float operator()() const {
    return warp::inclusive_scan(sample<float>(seed, threadIdx.x));
  }
};

TEST(warp_scan, rounds_float_sums_in_the_order_of_its_steps) {
  HEDDLE_NAME_SEED();
  float steps[32], before[32];
  for (int lane = 0; lane < 32; ++lane) steps[lane] = sample<float>(seed(), lane);
  for (int distance = 1; distance < 32; distance *= 2) {
    std::copy(steps, steps + 32, before);
    for (int lane = distance; lane < 32; ++lane)
      steps[lane] = before[lane - distance] + before[lane];
  }
  const auto answers = answers_of(scan_floats{seed()});
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(answers[lane], steps[lane]) << lane;
}

struct short_sums {
  __half including, before;
  __nv_bfloat16 from;
};

// 2048, then ones: in half 2048 + 1 is 2048, and in bfloat16 already 256 + 1 is 256.
struct scan_short_floats {
  __device__ short_sums operator()() const {
    const float mine = lane_id() == 0 ? 2048.0f : 1.0f;
    const auto half = static_cast<__half>(mine);
    const auto bfloat = static_cast<__nv_bfloat16>(1.0f);
    const auto initial = static_cast<__nv_bfloat16>(256.0f);
    return {warp::inclusive_scan(half), warp::exclusive_scan(half),
            warp::inclusive_scan_from(initial, bfloat)};
  }
};

TEST(warp_scan, adds_half_and_bfloat16_in_float) {
  const auto answers = answers_of(scan_short_floats{});
  for (int lane = 0; lane < 32; ++lane) {
    const auto including = static_cast<__half>(2048.0f + static_cast<float>(lane));
    const auto before = static_cast<__half>(lane == 0 ? 0.0f : 2047.0f + static_cast<float>(lane));
    const auto from = static_cast<__nv_bfloat16>(257.0f + static_cast<float>(lane));
    EXPECT_EQ(static_cast<float>(answers[lane].including), static_cast<float>(including)) << lane;
    EXPECT_EQ(static_cast<float>(answers[lane].before), static_cast<float>(before)) << lane;
    EXPECT_EQ(static_cast<float>(answers[lane].from), static_cast<float>(from)) << lane;
  }
}

struct sixty_four_bytes {
  double sums[7];
  std::uint32_t last;
  char mark;
};

// An operator without identity.
struct add_all {
  __host__ __device__ sixty_four_bytes operator()(const sixty_four_bytes& a,
                                                  const sixty_four_bytes& b) const {
    sixty_four_bytes sum = b;
    for (int i = 0; i < 7; ++i) sum.sums[i] += a.sums[i];
    return sum;
  }
};

struct scan_structs {
  __device__ sixty_four_bytes operator()() const {
    sixty_four_bytes mine{}, initial{};
    for (int i = 0; i < 7; ++i) mine.sums[i] = lane_id() * 1000 + i;
    for (int i = 0; i < 7; ++i) initial.sums[i] = -1;
    mine.last = static_cast<std::uint32_t>(lane_id());
    initial.last = 99;
    mine.mark = initial.mark = 'x';
    return warp::exclusive_scan_from<16>(initial, mine, add_all{});
  }
};

TEST(warp_scan, takes_structs_of_64_bytes_and_operators_without_identity) {
  static_assert(sizeof(sixty_four_bytes) == 64);
  const auto answers = answers_of(scan_structs{});
  for (int lane = 0; lane < 32; ++lane) {
    const int first = lane / 16 * 16;
    for (int i = 0; i < 7; ++i) {
      double sum = -1;
      for (int other = first; other < lane; ++other) sum += other * 1000 + i;
      EXPECT_EQ(answers[lane].sums[i], sum) << lane;
    }
    EXPECT_EQ(answers[lane].last, lane == first ? 99u : lane - 1u);
    EXPECT_EQ(answers[lane].mark, 'x');
  }
}

// The tiles of four lanes in `chosen` scan in one branch, the others in another.
struct scan_in_branches {
  heddle::lane_mask chosen;
  __device__ int in_own_branch() const {
    if (heddle::contains(chosen, lane_id())) {
      return warp::inclusive_scan<4>(lane_id(), {}, chosen);
    }
    return -warp::exclusive_scan<4>(lane_id(), heddle::plus{}, ~chosen);
  }
  // All lanes synchronise afterwards, so a branch that waits for the other one would hang.
  __device__ int operator()() const {
    const int answer = in_own_branch();
    __syncwarp();
    return answer;
  }
};

TEST(warp_scan, serves_callers_in_different_branches) {
  HEDDLE_NAME_SEED();
  for (int round = 0; round < 8; ++round) {
    heddle::lane_mask chosen = 0;
    for (int tile = 0; tile < 8; ++tile) {
      if (sample_bits(seed(), round) >> tile & 1) chosen |= 0xfu << 4 * tile;
    }
    const auto answers = answers_of(scan_in_branches{chosen}, 96);
    for (int thread = 0; thread < 96; ++thread) {
      const int lane = thread % 32;
      int before = 0;
      for (int other = lane / 4 * 4; other < lane; ++other) before += other;
      EXPECT_EQ(answers[thread], chosen >> lane & 1 ? before + lane : -before)
          << thread << ", chosen " << chosen;
    }
  }
}

struct scan_partial_warp {
  __device__ int operator()() const {
    return warp::inclusive_scan<8>(static_cast<int>(threadIdx.x), {}, heddle::lanes_with_thread());
  }
};

TEST(warp_scan, serves_whole_tiles_of_a_partial_warp) {
  const auto answers = answers_of(scan_partial_warp{}, 40);
  for (int thread = 0; thread < 40; ++thread) {
    int sum = 0;
    for (int other = thread / 8 * 8; other <= thread; ++other) sum += other;
    EXPECT_EQ(answers[thread], sum) << thread;
  }
}

struct flag_counts {
  warp::scanned_with_total<int> of_one, of_eight, of_warp;
};

struct scan_raised {
  const heddle::lane_mask* flags;  // one mask per warp
  __device__ flag_counts operator()() const {
    const bool flag = heddle::contains(flags[heddle::warp_rank()], lane_id());
    return {warp::scan_flags<1>(flag), warp::scan_flags<8>(flag), warp::scan_flags(flag)};
  }
};

void expect_counts(const warp::scanned_with_total<int>& answer, unsigned flags, int lane,
                   int width) {
  int before = 0, total = 0;
  for (int other = lane / width * width; other < lane / width * width + width; ++other) {
    before += other < lane ? flags >> other & 1 : 0;
    total += flags >> other & 1;
  }
  EXPECT_EQ(answer.before, before) << "lane " << lane << ", width " << width << ", " << flags;
  EXPECT_EQ(answer.including, before + static_cast<int>(flags >> lane & 1));
  EXPECT_EQ(answer.total, total);
}

TEST(warp_scan_flags, counts_the_flags_before_a_lane_up_to_it_and_in_its_tile) {
  HEDDLE_NAME_SEED();
  std::vector<heddle::lane_mask> flags{0, ~0u, 1, 1u << 31};
  while (flags.size() < 32) {
    flags.push_back(static_cast<unsigned>(sample_bits(seed(), flags.size())));
  }
  const device_array<heddle::lane_mask> copy(flags);
  const auto answers = answers_of(scan_raised{copy.data()}, 1024);
  for (int thread = 0; thread < 1024; ++thread) {
    expect_counts(answers[thread].of_one, flags[thread / 32], thread % 32, 1);
    expect_counts(answers[thread].of_eight, flags[thread / 32], thread % 32, 8);
    expect_counts(answers[thread].of_warp, flags[thread / 32], thread % 32, 32);
  }
}

}  // namespace
