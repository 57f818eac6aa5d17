// How values and segment ends are divided into equal shares, each value and end in exactly one.
#include <heddle/device/segment/split.cuh>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
namespace detail = heddle::device::detail;

struct share_of_warp {
  std::int64_t share, items;  // in the row
  detail::segment_split begin, end;
};
struct split_for_warp {
  const std::int64_t* offsets;
  std::int64_t segments, least;
  __device__ share_of_warp operator()() const {
    const detail::segment_splits splits(offsets, segments, static_cast<std::int64_t>(gridDim.x),
                                        least);
    const auto share = static_cast<std::int64_t>(blockIdx.x);
    return {splits.row().share, splits.row().items(), splits.before(share),
            splits.before(share + 1)};
  }
};

// Values and ends in one row, by a plain loop: an end is stored as -1 - its segment.
std::vector<std::int64_t> row_of(const std::vector<std::int64_t>& offsets) {
  std::vector<std::int64_t> row;
  for (std::size_t segment = 0; segment + 1 < offsets.size(); ++segment) {
    for (std::int64_t value = offsets[segment]; value < offsets[segment + 1]; ++value)
      row.push_back(value);
    row.push_back(-1 - static_cast<std::int64_t>(segment));
  }
  return row;
}

void expect_right_shares(const std::vector<std::int64_t>& offsets, unsigned shares,
                         std::int64_t least) {
  const auto segments = static_cast<std::int64_t>(offsets.size()) - 1;
  SCOPED_TRACE(testing::Message() << segments << " segments, " << shares << " shares of at least "
                                  << least);
  const device_array<std::int64_t> on_device(offsets);
  const auto answers = answers_of(split_for_warp{on_device.data(), segments, least}, 32, shares);
  const auto row = row_of(offsets);
  const auto items = static_cast<std::int64_t>(row.size());
  const std::int64_t share = std::max((items + shares - 1) / shares, least);
  std::int64_t value = offsets[0], segment = 0;  // where the next share must begin
  for (unsigned i = 0; i < shares; ++i) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      const share_of_warp& found = answers[32 * i + lane];
      ASSERT_EQ(found.share, share);
      ASSERT_EQ(found.items, items);
      ASSERT_EQ(found.begin.value, value) << "share " << i << ", lane " << lane;
      ASSERT_EQ(found.begin.segment, segment) << "share " << i << ", lane " << lane;
      ASSERT_EQ(found.begin.segment_begin, offsets[static_cast<std::size_t>(segment)])
          << "share " << i;
    }
    // The next share begins after as many items, and after the end of a segment if its last value
    // is one of them.
    const std::int64_t begin = std::min(i * share, items), end = std::min(begin + share, items);
    value = offsets[0];
    segment = 0;
    for (std::int64_t item = 0; item < end; ++item) {
      const std::int64_t what = row[static_cast<std::size_t>(item)];
      if (what >= 0) value = what + 1;
      if (what < 0) segment = -what;
    }
    const bool has_values =
        segment < segments &&
        offsets[static_cast<std::size_t>(segment)] < offsets[static_cast<std::size_t>(segment) + 1];
    if (has_values && offsets[static_cast<std::size_t>(segment) + 1] == value) ++segment;
    ASSERT_EQ(answers[32 * i].end.value, value) << "share " << i;
    ASSERT_EQ(answers[32 * i].end.segment, segment) << "share " << i;
  }
  ASSERT_EQ(value, offsets.back()) << "values are left over";
  ASSERT_EQ(segment, segments) << "ends are left over";
}

std::vector<std::int64_t> random_offsets(std::uint64_t round, std::int64_t segments) {
  std::vector<std::int64_t> offsets{
      static_cast<std::int64_t>(round * 7)};  // offsets need not begin with 0
  for (std::int64_t i = 0; i < segments; ++i) {
    const std::uint64_t bits = sample_bits(seed(), round * 10'000 + static_cast<std::uint64_t>(i));
    // Many empty segments, and a few long ones.
    const std::uint64_t length = bits % 3 == 0    ? 0
                                 : bits % 31 == 0 ? bits >> 20 & 511
                                                  : bits >> 20 & 7;
    offsets.push_back(offsets.back() + static_cast<std::int64_t>(length));
  }
  return offsets;
}

TEST(device_segment_split, puts_each_value_and_end_into_one_share) {
  HEDDLE_NAME_SEED();
  std::uint64_t round = 0;
  for (const std::int64_t segments : {1, 2, 31, 32, 33, 34, 100, 1000, 1100}) {
    for (const unsigned shares : {1u, 2u, 7u, 40u}) {
      for (const std::int64_t least : {1, 50})
        expect_right_shares(random_offsets(++round, segments), shares, least);
    }
  }
}

// So many that the search interpolates: that is right for equal lengths, and wrong otherwise.
TEST(device_segment_split, finds_the_shares_of_many_segments) {
  HEDDLE_NAME_SEED();
  constexpr std::int64_t segments = 5000;
  expect_right_shares(random_offsets(99, segments), 7, 1);
  const auto expect_with_lengths = [](auto&& length_of) {
    std::vector<std::int64_t> offsets{11};
    for (std::int64_t i = 0; i < segments; ++i) offsets.push_back(offsets.back() + length_of(i));
    expect_right_shares(offsets, 11, 1);
  };
  for (const std::int64_t length : {0, 1, 3, 20}) {
    expect_with_lengths([&](std::int64_t) { return length; });
  }
  // Clustered at one end of a part, and at one end of all segments.
  expect_with_lengths([](std::int64_t i) { return i % 150 == 149 ? std::int64_t{700} : 0; });
  expect_with_lengths([](std::int64_t i) { return i < 4000 ? 0 : std::int64_t{30}; });
  expect_with_lengths([](std::int64_t i) { return i < 1000 ? std::int64_t{30} : 0; });
}

TEST(device_segment_split, takes_only_empty_segments_and_one_long_segment) {
  expect_right_shares(std::vector<std::int64_t>(200, 5), 7, 1);
  expect_right_shares({0, 0}, 3, 1);
  expect_right_shares({3, 1000}, 9, 1);
  std::vector<std::int64_t> late(100, 0);
  late.push_back(700);
  late.insert(late.end(), 50, 700);
  for (const unsigned shares : {2u, 13u, 64u}) expect_right_shares(late, shares, 1);
}

}  // namespace
