// Segmented scans whose segments continue on the next rank, against plain loops over all elements.
#include <heddle/distributed/segmented_scan.cuh>

#include "distributed/parts.cuh"
#include "support/scan_values.cuh"

namespace {
using namespace heddle_test;
namespace distributed = heddle::distributed;
using heddle::device::workspace;

// Segments that are short, longer than a part, and a single one; keys that occur again later.
struct segments {
  std::vector<std::uint8_t> flags;
  std::vector<std::int32_t> keys;
};
segments drawn(std::int64_t count, int average) {
  segments all{std::vector<std::uint8_t>(count), std::vector<std::int32_t>(count)};
  std::int32_t key = 5;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto bits = sample_bits(common_seed() + static_cast<std::uint64_t>(average), i);
    const bool begins = average > 0 && bits % static_cast<unsigned>(average) == 0;
    // Runs of equal flags too: each of them begins a segment.
    all.flags[i] = begins ? static_cast<std::uint8_t>(1 + (bits >> 40) % 255) : 0;
    if (begins) key = key == 5 ? -7 : 5;
    all.keys[i] = key;
  }
  return all;
}

template <typename T, typename Op>
struct expected_scans {
  std::vector<T> inclusive, exclusive;
  expected_scans(const std::vector<T>& all, const std::vector<bool>& begins, Op op, T initial) {
    T sum{}, behind{};
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool is_new = i == 0 || begins[i];
      sum = is_new ? all[i] : op(sum, all[i]);
      behind = is_new ? initial : behind;
      inclusive.push_back(sum);
      exclusive.push_back(behind);
      behind = op(behind, all[i]);
    }
  }
};

template <typename T, typename Op>
void expect_segmented_scans(std::int64_t count, int average, Op op, const T& initial) {
  workspace work;
  const auto all_segments = drawn(count, average);
  std::vector<T> all(count);
  std::vector<bool> flagged(count), changed(count);
  for (std::int64_t i = 0; i < count; ++i) {
    all[i] = value_of<T>(common_seed(), static_cast<int>(i));
    flagged[i] = all_segments.flags[i] != 0;
    changed[i] = i > 0 && all_segments.keys[i] != all_segments.keys[i - 1];
  }
  const expected_scans<T, Op> by_flags(all, flagged, op, initial),
      by_keys(all, changed, op, initial);
  for_each_cut(count, common_seed(), [&](std::int64_t begin, std::int64_t end) {
    const auto length = end - begin;
    const device_array<T> input(piece_of(all, begin, end)), output(length);
    const device_array<std::uint8_t> flags(piece_of(all_segments.flags, begin, end));
    const device_array<std::int32_t> keys(piece_of(all_segments.keys, begin, end));
    distributed::segmented_inclusive_scan(ranks(), work, input.data(), flags.data(), output.data(),
                                          length, op);
    EXPECT_EQ(output.values(), piece_of(by_flags.inclusive, begin, end)) << "average " << average;
    distributed::segmented_exclusive_scan_from(ranks(), work, initial, input.data(), flags.data(),
                                               output.data(), length, op);
    EXPECT_EQ(output.values(), piece_of(by_flags.exclusive, begin, end)) << "average " << average;
    distributed::inclusive_scan_by_key(ranks(), work, keys.data(), input.data(), output.data(),
                                       length, op);
    EXPECT_EQ(output.values(), piece_of(by_keys.inclusive, begin, end)) << "average " << average;
    distributed::exclusive_scan_by_key_from(ranks(), work, initial, keys.data(), input.data(),
                                            output.data(), length, op);
    EXPECT_EQ(output.values(), piece_of(by_keys.exclusive, begin, end)) << "average " << average;
  });
}

TEST(distributed_segmented_scan, carries_segments_from_rank_to_rank) {
  HEDDLE_NAME_COMMON_SEED();
  for (const std::int64_t count : {0, 1, 6, 40, 5003}) {
    for (const int average : {0, 1, 3, 50, 3000}) {
      expect_segmented_scans<std::uint32_t>(count, average, heddle::plus{}, 17u);
    }
  }
}

TEST(distributed_segmented_scan, keeps_the_order_of_operators_that_do_not_commute) {
  HEDDLE_NAME_COMMON_SEED();
  for (const std::int64_t count : {6, 1009}) {
    for (const int average : {0, 3, 300}) {
      expect_segmented_scans<affine>(count, average, then{}, affine{3, 5});
    }
  }
}

TEST(distributed_segmented_scan, begins_segments_with_the_identity) {
  workspace work;
  // One segment over all ranks: each result is the element's place.
  const device_array<int> ones(std::vector<int>(100, 1)), output(100);
  const device_array<std::uint8_t> flags(std::vector<std::uint8_t>(100, 0));
  distributed::segmented_exclusive_scan(ranks(), work, ones.data(), flags.data(), output.data(),
                                        100);
  const auto by_flags = output.values();
  distributed::exclusive_scan_by_key(ranks(), work, flags.data(), ones.data(), output.data(), 100);
  const auto by_key = output.values();
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(by_flags[i], 100 * ranks().rank() + i);
    ASSERT_EQ(by_key[i], 100 * ranks().rank() + i);
  }
}

}  // namespace

int main(int argc, char** argv) { return heddle_test::run_tests_on_ranks(argc, argv); }
