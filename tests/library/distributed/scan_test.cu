// Scans with carries across ranks, against plain loops over all elements.
#include <heddle/distributed/scan.cuh>

#include "distributed/parts.cuh"
#include "support/scan_values.cuh"

namespace {
using namespace heddle_test;
namespace distributed = heddle::distributed;
using heddle::device::workspace;

template <typename T>
std::vector<T> samples(std::int64_t count) {
  std::vector<T> all(count);
  for (std::int64_t i = 0; i < count; ++i) {
    all[i] = value_of<T>(common_seed(), static_cast<int>(i));
  }
  return all;
}

// What scan(input, output, count) writes in the caller's part.
template <typename T, typename Scan>
std::vector<T> scanned(const std::vector<T>& part, const Scan& scan) {
  const device_array<T> input(part), output(part.size());
  scan(input.data(), output.data(), static_cast<std::int64_t>(part.size()));
  return output.values();
}

template <typename T, typename Op>
void expect_scans(workspace& work, std::int64_t count, Op op, const T& initial) {
  const auto all = samples<T>(count);
  std::vector<T> inclusive(count), inclusive_from(count), exclusive_from(count);
  T sum{}, behind = initial;
  for (std::int64_t i = 0; i < count; ++i) {
    sum = i == 0 ? all[0] : op(sum, all[i]);
    inclusive[i] = sum;
    exclusive_from[i] = behind;
    behind = op(behind, all[i]);
    inclusive_from[i] = behind;
  }
  for_each_cut(count, common_seed(), [&](std::int64_t begin, std::int64_t end) {
    const auto part = piece_of(all, begin, end);
    EXPECT_EQ(scanned(part,
                      [&](const T* input, T* output, std::int64_t length) {
                        distributed::inclusive_scan(ranks(), work, input, output, length, op);
                      }),
              piece_of(inclusive, begin, end));
    EXPECT_EQ(scanned(part,
                      [&](const T* input, T* output, std::int64_t length) {
                        distributed::inclusive_scan_from(ranks(), work, initial, input, output,
                                                         length, op);
                      }),
              piece_of(inclusive_from, begin, end));
    EXPECT_EQ(scanned(part,
                      [&](const T* input, T* output, std::int64_t length) {
                        distributed::exclusive_scan_from(ranks(), work, initial, input, output,
                                                         length, op);
                      }),
              piece_of(exclusive_from, begin, end));
  });
}

TEST(distributed_scan, carries_sums_from_rank_to_rank) {
  HEDDLE_NAME_COMMON_SEED();
  workspace work;
  for (const std::int64_t count : {0, 1, 6, 1000, 30011}) {
    expect_scans<std::uint32_t>(work, count, heddle::plus{}, 17u);
  }
}

TEST(distributed_scan, keeps_the_order_of_operators_that_do_not_commute) {
  HEDDLE_NAME_COMMON_SEED();
  workspace work;
  for (const std::int64_t count : {1, 6, 5003}) {
    expect_scans<affine>(work, count, then{}, affine{3, 5});
  }
}

TEST(distributed_scan, needs_no_identity) {
  HEDDLE_NAME_COMMON_SEED();
  workspace work;
  for (const std::int64_t count : {0, 1, 6, 5003}) {
    expect_scans<interval>(work, count, join_unknown{}, from_to(-9, -1));
  }
}

TEST(distributed_scan, begins_with_the_identity) {
  HEDDLE_NAME_COMMON_SEED();
  workspace work;
  const auto all = samples<std::int32_t>(2000);
  std::vector<std::int32_t> expected;
  std::uint32_t sum = 0;
  for (const std::int32_t number : all) {
    expected.push_back(static_cast<std::int32_t>(sum));
    sum += static_cast<std::uint32_t>(number);
  }
  for_each_cut(2000, common_seed(), [&](std::int64_t begin, std::int64_t end) {
    EXPECT_EQ(scanned(piece_of(all, begin, end),
                      [&](const std::int32_t* input, std::int32_t* output, std::int64_t length) {
                        distributed::exclusive_scan(ranks(), work, input, output, length);
                      }),
              piece_of(expected, begin, end));
  });
}

TEST(distributed_scan, carries_sums_of_half_unrounded) {
  // 2049 does not fit half: a carry rounded between ranks would stay at 2048 on all later ranks.
  workspace work;
  const std::vector<__half> mine(683, __half(1.0f));
  const auto found = scanned(mine, [&](const __half* input, __half* output, std::int64_t length) {
    distributed::inclusive_scan(ranks(), work, input, output, length);
  });
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto exact = static_cast<float>(683 * ranks().rank() + static_cast<int>(i) + 1);
    ASSERT_EQ(static_cast<float>(found[i]), static_cast<float>(__half(exact))) << i;
  }
}

TEST(distributed_scan, works_in_place) {
  workspace work;
  const device_array<int> numbers(std::vector<int>(500, 1));
  distributed::inclusive_scan(ranks(), work, static_cast<const int*>(numbers.data()),
                              numbers.data(), 500);
  const auto found = numbers.values();
  for (int i = 0; i < 500; ++i) ASSERT_EQ(found[i], 500 * ranks().rank() + i + 1);
}

}  // namespace

int main(int argc, char** argv) { return heddle_test::run_tests_on_ranks(argc, argv); }
