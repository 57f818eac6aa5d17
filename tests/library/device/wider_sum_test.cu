// Sums and products of narrow elements in a wider type, by every call on whole arrays that adds up.
#include <heddle/device/reduce.cuh>
#include <heddle/device/reduce_by_key.cuh>
#include <heddle/device/scan.cuh>
#include <heddle/device/segmented_reduce.cuh>
#include <heddle/device/segmented_scan.cuh>
#include <heddle/device/sum.cuh>

#include <cstdint>

#include "device/guards.cuh"
#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::device::workspace;
namespace device = heddle::device;

template <typename T, typename Op, typename Result, typename Expected>
inline constexpr bool is_summed_as = std::is_same_v<heddle::summed_as<T, Op, Result>, Expected>;
using heddle::maximum;
using heddle::multiplies;
using heddle::plus;
static_assert(is_summed_as<std::uint8_t, plus, int, int>);
static_assert(is_summed_as<std::uint8_t, multiplies, std::int64_t, std::int64_t>);
static_assert(is_summed_as<bool, plus, std::uint8_t, std::uint8_t>);
static_assert(is_summed_as<std::int8_t, plus, unsigned, int>);
static_assert(is_summed_as<std::int8_t, plus, float, float>);
static_assert(is_summed_as<__half, plus, float, float>);
static_assert(is_summed_as<__half, plus, double, double>);
static_assert(is_summed_as<float, plus, double, double>);
// Nothing to gain, or digits to lose.
static_assert(is_summed_as<std::uint8_t, plus, std::uint8_t, std::uint8_t>);
static_assert(is_summed_as<int, plus, unsigned, int>);
static_assert(is_summed_as<int, plus, float, int>);
static_assert(is_summed_as<float, plus, std::int64_t, float>);
static_assert(is_summed_as<double, plus, float, double>);
static_assert(is_summed_as<__half, plus, __half, __half>);
static_assert(is_summed_as<std::uint8_t, maximum, int, std::uint8_t>);
static_assert(is_summed_as<bool, plus, bool, bool>);

// The elements, segments of random lengths and what all sums are, in 64 bits.
template <typename T>
struct rows_of_numbers {
  using stored =
      std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;  // vector<bool> packs
  std::vector<stored> values;
  std::vector<int> flags, keys;
  std::vector<std::int64_t> offsets;

  explicit rows_of_numbers(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t bits = sample_bits(seed(), i);
      values.push_back(
          static_cast<T>(static_cast<int>(bits % 255) - (std::is_signed_v<T> ? 127 : 0)));
      const bool begins = i == 0 || bits >> 40 < (1u << 24) / 700;
      flags.push_back(begins ? 1 : 0);
      keys.push_back(begins ? static_cast<int>(i) : keys.back());
      if (begins) offsets.push_back(static_cast<std::int64_t>(i));
    }
    offsets.push_back(static_cast<std::int64_t>(count));
  }

  // The sums before each element, which start with `initial` in each segment, or only once.
  std::vector<std::int64_t> before(std::int64_t initial, bool has_segments) const {
    std::vector<std::int64_t> sums;
    std::int64_t sum = initial;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (has_segments && flags[i] != 0) sum = initial;
      sums.push_back(sum);
      sum += static_cast<std::int64_t>(values[i]);
    }
    return sums;
  }
  std::vector<std::int64_t> including(std::int64_t initial, bool has_segments) const {
    auto sums = before(initial, has_segments);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += static_cast<std::int64_t>(values[i]);
    return sums;
  }
  std::vector<std::int64_t> of_segments(std::int64_t initial) const {
    const auto sums = including(initial, true);
    std::vector<std::int64_t> ends;
    for (std::size_t i = 1; i < offsets.size(); ++i) {
      ends.push_back(sums[static_cast<std::size_t>(offsets[i]) - 1]);
    }
    return ends;
  }
};

template <typename Result>
std::vector<Result> as(const std::vector<std::int64_t>& sums) {
  std::vector<Result> results;
  for (const std::int64_t sum : sums) results.push_back(static_cast<Result>(sum));
  return results;
}

// Expects the results that `call(workspace, output)` writes.
template <typename Result, typename Call>
void expect_written(const char* what, const std::vector<std::int64_t>& wanted, const Call& call) {
  workspace space;
  const guarded_array<Result> output(wanted.size());
  call(space, output.data());
  const auto got = output.values();
  const auto expected = as<Result>(wanted);
  const std::int64_t place = first_difference(got, expected);
  if (place < 0) return;
  const auto at = static_cast<std::size_t>(place);
  ADD_FAILURE() << what << " of " << wanted.size() << ", element " << place << ": "
                << static_cast<double>(got[at]) << " and not " << static_cast<double>(expected[at]);
}

template <typename T, typename Result>
struct from_to {
  using element = T;
  using result = Result;
};
template <typename Pair>
class device_wider_sum : public testing::Test {
 protected:
  using element = typename Pair::element;
  using result = typename Pair::result;

  static std::vector<rows_of_numbers<element>> all_rows() {
    std::vector<rows_of_numbers<element>> rows;
    for (const std::size_t count : {1u, 1000u, 60'001u}) rows.emplace_back(count);
    return rows;
  }
};
using pairs =
    testing::Types<from_to<std::uint8_t, int>, from_to<bool, int>, from_to<std::int8_t, unsigned>,
                   from_to<std::int16_t, std::int64_t>, from_to<std::uint8_t, float>,
                   from_to<float, double>, from_to<std::uint8_t, std::uint8_t>>;
TYPED_TEST_SUITE(device_wider_sum, pairs);

constexpr int initial = 1000;  // no byte

TYPED_TEST(device_wider_sum, of_prefixes) {
  HEDDLE_NAME_SEED();
  using result = typename TypeParam::result;
  for (const auto& rows : TestFixture::all_rows()) {
    const device_array stored(rows.values);
    const auto* const values = reinterpret_cast<const typename TypeParam::element*>(stored.data());
    const auto count = static_cast<std::int64_t>(rows.values.size());
    expect_written<result>("inclusive_scan", rows.including(0, false), [&](auto& space, auto* out) {
      device::inclusive_scan(space, values, out, count);
    });
    expect_written<result>("exclusive_scan", rows.before(0, false), [&](auto& space, auto* out) {
      device::exclusive_scan(space, values, out, count);
    });
    const auto first = static_cast<result>(initial);
    expect_written<result>("inclusive_scan_from", rows.including(initial, false),
                           [&](auto& space, auto* out) {
                             device::inclusive_scan_from(space, first, values, out, count);
                           });
    expect_written<result>("exclusive_scan_from", rows.before(initial, false),
                           [&](auto& space, auto* out) {
                             device::exclusive_scan_from(space, first, values, out, count);
                           });
  }
}

TYPED_TEST(device_wider_sum, of_prefixes_in_segments) {
  HEDDLE_NAME_SEED();
  using result = typename TypeParam::result;
  for (const auto& rows : TestFixture::all_rows()) {
    const device_array stored(rows.values);
    const auto* const values = reinterpret_cast<const typename TypeParam::element*>(stored.data());
    const device_array<int> flags(rows.flags), keys(rows.keys);
    const device_array<std::int64_t> offsets(rows.offsets);
    const auto count = static_cast<std::int64_t>(rows.values.size());
    const auto segments = static_cast<std::int64_t>(rows.offsets.size()) - 1;
    const auto first = static_cast<result>(initial);
    const auto including = rows.including(0, true), before = rows.before(0, true);
    const auto before_from = rows.before(initial, true);
    expect_written<result>("inclusive, flags", including, [&](auto& space, auto* out) {
      device::segmented_inclusive_scan(space, values, flags.data(), out, count);
    });
    expect_written<result>("inclusive, keys", including, [&](auto& space, auto* out) {
      device::inclusive_scan_by_key(space, keys.data(), values, out, count);
    });
    expect_written<result>("inclusive, offsets", including, [&](auto& space, auto* out) {
      device::inclusive_scan_by_offsets(space, values, offsets.data(), segments, out, count);
    });
    expect_written<result>("exclusive, flags", before, [&](auto& space, auto* out) {
      device::segmented_exclusive_scan(space, values, flags.data(), out, count);
    });
    expect_written<result>("exclusive from, keys", before_from, [&](auto& space, auto* out) {
      device::exclusive_scan_by_key_from(space, first, keys.data(), values, out, count);
    });
    expect_written<result>("exclusive from, offsets", before_from, [&](auto& space, auto* out) {
      device::exclusive_scan_by_offsets_from(space, first, values, offsets.data(), segments, out,
                                             count);
    });
  }
}

TYPED_TEST(device_wider_sum, of_segments_and_of_everything) {
  HEDDLE_NAME_SEED();
  using result = typename TypeParam::result;
  for (const auto& rows : TestFixture::all_rows()) {
    const device_array stored(rows.values);
    const auto* const values = reinterpret_cast<const typename TypeParam::element*>(stored.data());
    const device_array<int> keys(rows.keys);
    const device_array<std::int64_t> offsets(rows.offsets);
    const auto count = static_cast<std::int64_t>(rows.values.size());
    const auto segments = static_cast<std::int64_t>(rows.offsets.size()) - 1;
    const auto first = static_cast<result>(initial);
    expect_written<result>("segmented_reduce", rows.of_segments(0), [&](auto& space, auto* out) {
      device::segmented_reduce(space, values, offsets.data(), segments, out);
    });
    expect_written<result>(
        "segmented_reduce from", rows.of_segments(initial), [&](auto& space, auto* out) {
          device::segmented_reduce(space, values, offsets.data(), segments, out, plus{}, first);
        });
    expect_written<result>("reduce_by_key", rows.of_segments(0), [&](auto& space, auto* out) {
      const device_array<int> unique(static_cast<std::size_t>(segments)), number(1);
      device::reduce_by_key(space, keys.data(), values, count, unique.data(), out, number.data());
      check(cudaDeviceSynchronize(), "the kernel");
    });
    const std::vector<std::int64_t> all{rows.including(0, false).back()};
    expect_written<result>("sum", all,
                           [&](auto& space, auto* out) { device::sum(space, values, count, out); });
    expect_written<result>("reduce", all, [&](auto& space, auto* out) {
      device::reduce(space, values, count, out, plus{});
    });
  }
}

// Half sums in float are not rounded to half on the way.
TEST(device_wider_sum_of_half, is_not_rounded_in_between) {
  const std::vector<__half> ones(5000, __float2half(1.0f));
  const device_array<__half> values(ones);
  std::vector<std::int64_t> wanted;
  for (std::int64_t i = 1; i <= 5000; ++i) wanted.push_back(i);  // half has no 2049
  expect_written<float>("inclusive_scan", wanted, [&](auto& space, auto* out) {
    device::inclusive_scan(space, values.data(), out, 5000);
  });
}

}  // namespace
