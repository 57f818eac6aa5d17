// Reductions and extremes of elements spread over ranks, against plain loops.
#include <heddle/distributed/arg.cuh>
#include <heddle/distributed/reduce.cuh>
#include <heddle/distributed/sum.cuh>

#include <cmath>
#include <limits>

#include "distributed/parts.cuh"
#include "support/scan_values.cuh"

namespace {
using namespace heddle_test;
namespace distributed = heddle::distributed;
using heddle::device::workspace;

constexpr std::int64_t counts[]{0, 1, 5, 31, 1000, 20011};

template <typename T, typename Op, typename... Initial>
T reduced(workspace& work, const std::vector<T>& part, Op op, Initial... initial) {
  const device_array<T> input(part), result(1);
  distributed::reduce(ranks(), work, input.data(), static_cast<std::int64_t>(part.size()),
                      result.data(), op, initial...);
  return result.values()[0];
}

TEST(distributed_reduce, keeps_the_order_of_ranks_and_elements) {
  HEDDLE_NAME_COMMON_SEED();
  workspace work;
  for (const std::int64_t count : counts) {
    std::vector<interval> all;
    for (int i = 0; i < count; ++i) all.push_back(from_to(i, i));
    for_each_cut(count, common_seed(), [&](std::int64_t begin, std::int64_t end) {
      const interval found = reduced(work, piece_of(all, begin, end), join{});
      EXPECT_EQ(found, count == 0 ? interval{} : from_to(0, static_cast<int>(count) - 1));
      const interval behind = reduced(work, piece_of(all, begin, end), join{}, from_to(-3, -1));
      EXPECT_EQ(behind, from_to(-3, static_cast<int>(count) - 1));
    });
  }
}

TEST(distributed_reduce, needs_no_identity) {
  HEDDLE_NAME_COMMON_SEED();
  workspace work;
  for (const std::int64_t count : counts) {
    std::vector<interval> all;
    for (int i = 0; i < count; ++i) all.push_back(from_to(i, i));
    for_each_cut(count, common_seed(), [&](std::int64_t begin, std::int64_t end) {
      const auto part = piece_of(all, begin, end);
      if (count == 0) {
        // It throws on every rank, so that no rank continues alone.
        EXPECT_THROW(static_cast<void>(reduced(work, part, join_unknown{})), heddle::error);
      } else {
        EXPECT_EQ(reduced(work, part, join_unknown{}), from_to(0, static_cast<int>(count) - 1));
      }
      EXPECT_EQ(reduced(work, part, join_unknown{}, from_to(-3, -1)),
                from_to(-3, static_cast<int>(count) - 1));
    });
  }
}

TEST(distributed_reduce, adds_integers_and_takes_extremes) {
  HEDDLE_NAME_COMMON_SEED();
  workspace work;
  std::vector<std::int32_t> all(12345);
  std::int32_t sum = 0, largest = std::numeric_limits<std::int32_t>::min();
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = sample<std::int32_t>(common_seed(), i);
    sum = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum) +
                                    static_cast<std::uint32_t>(all[i]));
    largest = std::max(largest, all[i]);
  }
  for_each_cut(static_cast<std::int64_t>(all.size()), common_seed(),
               [&](std::int64_t begin, std::int64_t end) {
                 EXPECT_EQ(reduced(work, piece_of(all, begin, end), heddle::plus{}), sum);
                 EXPECT_EQ(reduced(work, piece_of(all, begin, end), heddle::maximum{}), largest);
               });
}

TEST(distributed_reduce, rounds_sums_of_half_once) {
  // 4096 ones, and 0.5 between ranks: in half, adding 0.5 to 4096 would lose it.
  workspace work;
  const std::vector<__half> all(8192, __half(0.5f));
  for_each_cut(8192, 0, [&](std::int64_t begin, std::int64_t end) {
    EXPECT_EQ(static_cast<float>(reduced(work, piece_of(all, begin, end), heddle::plus{})), 4096);
  });
}

template <typename T>
heddle::device::indexed<T, std::int64_t> extreme_of(workspace& work, const std::vector<T>& part,
                                                    bool is_largest) {
  const device_array<T> input(part);
  const device_array<heddle::device::indexed<T, std::int64_t>> result(1);
  const auto count = static_cast<std::int64_t>(part.size());
  if (is_largest) {
    distributed::arg_max(ranks(), work, input.data(), count, result.data());
  } else {
    distributed::arg_min(ranks(), work, input.data(), count, result.data());
  }
  return result.values()[0];
}

TEST(distributed_arg, finds_the_first_of_equal_extremes) {
  HEDDLE_NAME_COMMON_SEED();
  workspace work;
  for (const std::int64_t count : counts) {
    // Few distinct values, so that most ranks have the extreme; some are NaN.
    std::vector<float> all(count);
    for (std::int64_t i = 0; i < count; ++i) {
      const auto bits = sample_bits(common_seed(), i);
      all[i] = bits % 5 == 0 ? NAN : static_cast<float>(static_cast<int>(bits >> 40) % 7);
    }
    const bool has_number = std::any_of(all.begin(), all.end(), [](float x) { return x == x; });
    for (const bool is_largest : {true, false}) {
      std::int64_t expected = count == 0 ? -1 : 0;
      for (std::int64_t i = 0; i < count && has_number; ++i) {
        const bool is_better = is_largest ? all[i] > all[expected] : all[i] < all[expected];
        if (all[i] == all[i] && (all[expected] != all[expected] || is_better)) expected = i;
      }
      for_each_cut(count, common_seed(), [&](std::int64_t begin, std::int64_t end) {
        const auto found = extreme_of(work, piece_of(all, begin, end), is_largest);
        EXPECT_EQ(found.index, expected);
        if (has_number) EXPECT_EQ(found.value, all[expected]);
      });
    }
  }
}

TEST(distributed_reduce, refuses_a_negative_count_before_anything_is_sent) {
  workspace work;
  const device_array<int> input(1), result(1);
  ranks().forget_sent();
  EXPECT_THROW(distributed::reduce(ranks(), work, input.data(), -1, result.data(), heddle::plus{}),
               heddle::error);
  EXPECT_EQ(ranks().sent().messages, 0);
}

}  // namespace

int main(int argc, char** argv) { return heddle_test::run_tests_on_ranks(argc, argv); }
