// Aggregated atomics against lanes that update one after another, for every type and operator.
#include <heddle/warp/aggregate.cuh>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::lane_id;
using heddle::lane_mask;

constexpr unsigned rounds = 24;
constexpr int places = 40;  // addresses per round

// In every third round all lanes are members, in the others some.
__host__ __device__ lane_mask members_of_round(std::uint64_t seed, unsigned round) {
  const auto random = static_cast<lane_mask>(sample_bits(seed, round));
  return round % 3 == 0 ? heddle::all_lanes : random | 1u << round % 32;
}
// The address of a lane: one for all, one of two, one of seven, or a different one for each.
__host__ __device__ int place_of_lane(std::uint64_t seed, unsigned round, int lane) {
  const auto random = static_cast<unsigned>(sample_bits(seed + 5, round * 32 + lane) >> 3);
  const unsigned kinds = round / 3 % 4;
  return static_cast<int>(kinds == 0   ? 17
                          : kinds == 1 ? random % 2
                          : kinds == 2 ? random % 7
                                       : unsigned(lane));
}
template <typename T>
__host__ __device__ T value_of_lane(std::uint64_t seed, unsigned round, int lane) {
  return sample<T>(seed + 9, round * 32 + lane);
}

template <typename T, typename Op>
struct update_memory {
  std::uint64_t seed;
  T* memory;        // [round][place], updated with a result
  T* other_memory;  // the same, without a result
  __device__ T operator()() const {
    const unsigned round = blockIdx.x;
    const lane_mask members = members_of_round(seed, round);
    if (!(members >> lane_id() & 1)) return T{};
    const int place = static_cast<int>(round) * places + place_of_lane(seed, round, lane_id());
    const T value = value_of_lane<T>(seed, round, lane_id());
    heddle::warp::aggregated_update_without_result(other_memory + place, value, Op{}, members);
    return heddle::warp::aggregated_update(memory + place, value, Op{}, members);
  }
};

template <typename T, typename Op>
T combine_on_host(T a, T b) {
  // Integer sums wrap around.
  if constexpr (std::is_integral_v<T> && std::is_same_v<Op, heddle::plus>) {
    using number = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<number>(a) + static_cast<number>(b));
  } else {
    return Op{}(a, b);
  }
}

template <typename T, typename Op>
void expect_updates_as_if_one_after_another() {
  HEDDLE_NAME_SEED();
  std::vector<T> start(rounds * places);
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = sample<T>(seed() + 3, i);
  const device_array<T> memory(start), other_memory(start);
  const auto answers =
      answers_of(update_memory<T, Op>{seed(), memory.data(), other_memory.data()}, 32, rounds);
  const auto after = memory.values();
  const auto other_after = other_memory.values();
  // The device rounds floating-point sums in a different order.
  const double tolerance = std::is_floating_point_v<T> && std::is_same_v<Op, heddle::plus>
                               ? 32 * 32 * std::numeric_limits<T>::epsilon()
                               : 0;
  std::vector<T> expected = start;
  for (unsigned round = 0; round < rounds; ++round) {
    for (int lane = 0; lane < 32; ++lane) {
      if (!(members_of_round(seed(), round) >> lane & 1)) continue;
      T& there = expected[round * places + place_of_lane(seed(), round, lane)];
      const T old = answers[round * 32 + lane];
      if (tolerance == 0) {
        EXPECT_EQ(old, there) << "lane " << lane << ", round " << round << __PRETTY_FUNCTION__;
      } else {
        EXPECT_NEAR(static_cast<double>(old), static_cast<double>(there), tolerance)
            << "lane " << lane << ", round " << round << __PRETTY_FUNCTION__;
      }
      there = combine_on_host<T, Op>(there, value_of_lane<T>(seed(), round, lane));
    }
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (tolerance == 0) {
      EXPECT_EQ(after[i], expected[i]) << i << __PRETTY_FUNCTION__;
      EXPECT_EQ(other_after[i], expected[i]) << i << __PRETTY_FUNCTION__;
    } else {
      EXPECT_NEAR(static_cast<double>(after[i]), static_cast<double>(expected[i]), tolerance) << i;
      EXPECT_NEAR(static_cast<double>(other_after[i]), static_cast<double>(expected[i]), tolerance)
          << i;
    }
  }
}

template <typename T>
void expect_every_integer_update() {
  expect_updates_as_if_one_after_another<T, heddle::plus>();
  expect_updates_as_if_one_after_another<T, heddle::minimum>();
  expect_updates_as_if_one_after_another<T, heddle::maximum>();
  expect_updates_as_if_one_after_another<T, heddle::bit_and>();
  expect_updates_as_if_one_after_another<T, heddle::bit_or>();
  expect_updates_as_if_one_after_another<T, heddle::bit_xor>();
}

TEST(warp_aggregate, matches_a_serial_loop_for_int) { expect_every_integer_update<int>(); }
TEST(warp_aggregate, matches_a_serial_loop_for_unsigned) {
  expect_updates_as_if_one_after_another<unsigned, heddle::plus>();
  expect_updates_as_if_one_after_another<unsigned, heddle::minimum>();
  expect_updates_as_if_one_after_another<unsigned, heddle::maximum>();
}
TEST(warp_aggregate, matches_a_serial_loop_for_64_bit_integers) {
  expect_every_integer_update<std::int64_t>();
  expect_updates_as_if_one_after_another<unsigned long long, heddle::plus>();
  expect_updates_as_if_one_after_another<unsigned long long, heddle::maximum>();
}
TEST(warp_aggregate, updates_float_and_double) {
  expect_updates_as_if_one_after_another<float, heddle::plus>();
  expect_updates_as_if_one_after_another<float, heddle::minimum>();
  expect_updates_as_if_one_after_another<float, heddle::maximum>();
  expect_updates_as_if_one_after_another<double, heddle::plus>();
  expect_updates_as_if_one_after_another<double, heddle::minimum>();
  expect_updates_as_if_one_after_another<double, heddle::maximum>();
}

// Odd and even lanes add to the same address, each in its own branch.
struct add_in_branches {
  int* sum;
  __device__ int operator()() const {
    constexpr lane_mask odd_lanes = 0xaaaaaaaau;
    if (lane_id() % 2 == 1) return heddle::warp::aggregated_add(sum, 1, odd_lanes);
    heddle::warp::aggregated_add_without_result(sum, 1000, ~odd_lanes);
    return -1;
  }
};

TEST(warp_aggregate, serves_callers_in_different_branches) {
  const device_array<int> sum(std::vector<int>{5});
  const auto answers = answers_of(add_in_branches{sum.data()}, 64);
  EXPECT_EQ(sum.values()[0], 5 + 32 + 32000);
  std::vector<int> tickets;
  for (int thread = 1; thread < 64; thread += 2) tickets.push_back(answers[thread] % 1000);
  std::sort(tickets.begin(), tickets.end());
  for (int i = 0; i < 32; ++i) EXPECT_EQ(tickets[i], 5 + i);
}

// All lanes of a warp add floats whose sum depends on the order.
struct add_floats {
  float* sum;
  std::uint64_t seed;
  lane_mask members;
  __device__ float operator()() const {
    if (!(members >> lane_id() & 1)) return 0;
    const float mine = sample<float>(seed, lane_id());
    heddle::warp::aggregated_add_without_result(sum, mine, members);
    return mine;
  }
};

TEST(warp_aggregate, adds_floats_as_a_tree_of_neighbours_then_once_to_memory) {
  HEDDLE_NAME_SEED();
  for (const lane_mask members : {heddle::all_lanes, 0x7fffffffu, 0xf0e1c387u, 0x00000400u}) {
    const device_array<float> sum(std::vector<float>{0.5f});
    const auto values = answers_of(add_floats{sum.data(), seed(), members});
    std::vector<float> tree;
    for (int lane = 0; lane < 32; ++lane) {
      if (members >> lane & 1) tree.push_back(values[lane]);
    }
    while (tree.size() > 1) {
      for (std::size_t i = 0; i + 1 < tree.size(); i += 2) tree[i / 2] = tree[i] + tree[i + 1];
      if (tree.size() % 2 != 0) tree[tree.size() / 2] = tree.back();
      tree.resize((tree.size() + 1) / 2);
    }
    EXPECT_EQ(sum.values()[0], 0.5f + tree[0]) << std::hex << members;
  }
}

// One address for each lane: memory holds `there`, the lane brings `mine`, for all pairs of special
// numbers.
template <typename T, typename Op>
struct update_special_numbers {
  T* memory;
  T numbers[8];
  __device__ T operator()() const {
    const int pair = static_cast<int>(blockIdx.x * 32 + threadIdx.x);
    return heddle::warp::aggregated_update(memory + pair, numbers[pair % 8], Op{});
  }
};

template <typename T, typename Op>
void expect_special_numbers() {
  const T nan = std::numeric_limits<T>::quiet_NaN();
  update_special_numbers<T, Op> update{
      nullptr,
      {T{0}, -T{0}, nan, std::copysign(nan, T{-1}), T{3}, T{-3}, std::numeric_limits<T>::infinity(),
       -std::numeric_limits<T>::infinity()}};
  std::vector<T> start(64);
  for (int pair = 0; pair < 64; ++pair) start[pair] = update.numbers[pair / 8];
  const device_array<T> memory(start);
  update.memory = memory.data();
  const auto answers = answers_of(update, 32, 2);
  const auto after = memory.values();
  for (int pair = 0; pair < 64; ++pair) {
    const T there = start[pair], mine = update.numbers[pair % 8];
    // The contract in plain words: NaN loses, -0 is below +0.
    T expected = there;
    if (std::isnan(there)) {
      expected = mine;
    } else if (!std::isnan(mine)) {
      const bool mine_is_less =
          mine < there || (mine == there && std::signbit(mine) && !std::signbit(there));
      const bool mine_is_greater =
          mine > there || (mine == there && !std::signbit(mine) && std::signbit(there));
      if (std::is_same_v<Op, heddle::minimum> ? mine_is_less : mine_is_greater) expected = mine;
    }
    EXPECT_EQ(std::isnan(answers[pair]), std::isnan(there)) << there << " and " << mine;
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(after[pair])) << there << " and " << mine;
    } else {
      EXPECT_EQ(after[pair], expected) << there << " and " << mine;
      EXPECT_EQ(std::signbit(after[pair]), std::signbit(expected)) << there << " and " << mine;
    }
  }
}

TEST(warp_aggregate, lets_nan_lose_and_puts_minus_zero_below_zero) {
  expect_special_numbers<float, heddle::minimum>();
  expect_special_numbers<float, heddle::maximum>();
  expect_special_numbers<double, heddle::minimum>();
  expect_special_numbers<double, heddle::maximum>();
}

struct set_memory {
  double* memory;
  __device__ int operator()() const {
    heddle::warp::aggregated_set(memory + lane_id() * lane_id() % 7, lane_id());
    return 0;
  }
};

TEST(warp_aggregated_set, lets_the_last_lane_of_an_address_win) {
  const device_array<double> memory(std::vector<double>(7, -1.0));
  answers_of(set_memory{memory.data()});
  double expected[7] = {-1, -1, -1, -1, -1, -1, -1};
  for (int lane = 0; lane < 32; ++lane) expected[lane * lane % 7] = lane;
  for (int i = 0; i < 7; ++i) EXPECT_EQ(memory.values()[i], expected[i]) << i;
}

// Some lanes of each warp draw a ticket.
template <typename T>
struct draw_tickets {
  T* counter;
  std::uint64_t seed;
  __device__ T operator()() const {
    const bool wants = sample_bits(seed, blockIdx.x * blockDim.x + threadIdx.x) % 3 != 0;
    const lane_mask wanting = __ballot_sync(heddle::all_lanes, wants);
    return wants ? heddle::warp::aggregated_increment(counter, wanting) : T{0};
  }
};

template <typename T>
void expect_tickets() {
  HEDDLE_NAME_SEED();
  const T start = 100;
  const device_array<T> counter(std::vector<T>{start});
  const auto answers = answers_of(draw_tickets<T>{counter.data(), seed()}, 96, 10);
  std::vector<T> tickets;
  for (int warp = 0; warp < 30; ++warp) {
    T previous = 0;
    for (int thread = warp * 32; thread < warp * 32 + 32; ++thread) {
      if (answers[thread] == 0) continue;
      if (previous != 0) {
        EXPECT_EQ(answers[thread], previous + 1) << "thread " << thread;
      }
      previous = answers[thread];
      tickets.push_back(previous);
    }
  }
  std::sort(tickets.begin(), tickets.end());
  ASSERT_FALSE(tickets.empty());
  for (std::size_t i = 0; i < tickets.size(); ++i) ASSERT_EQ(tickets[i], start + static_cast<T>(i));
  EXPECT_EQ(counter.values()[0], start + static_cast<T>(tickets.size()));
}

TEST(warp_aggregated_increment, gives_every_lane_its_own_ticket_in_lane_order) {
  expect_tickets<int>();
  expect_tickets<std::uint64_t>();
}

}  // namespace
