// Segmented scans of whole arrays by flags, keys and offsets, against plain loops.
#include <heddle/device/iterators.cuh>
#include <heddle/device/segmented_scan.cuh>

#include <functional>

#include "support/on_device.cuh"
#include "support/operators.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::device::workspace;
namespace device = heddle::device;

using key_problem = device::detail::scan_of_segments<const int*, const int*, int*, heddle::plus,
                                                     device::detail::begins_at_change, false>;
using setting = device::detail::scan_setting_of<key_problem>;
constexpr std::int64_t tile =
    device::detail::shape_of<key_problem, setting::warps, setting::lane_bytes>::tile_items;

// Where segments begin: at random with the given mean length; some segments are very long.
std::vector<std::uint8_t> random_flags(std::int64_t count, std::uint64_t mean) {
  std::vector<std::uint8_t> flags(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < flags.size(); ++i) {
    flags[i] = sample_bits(seed() + mean, i) % mean == 0 ? 1 : 0;
  }
  return flags;
}

template <typename T, typename Op>
std::vector<T> scanned(const std::vector<T>& values, const std::vector<std::uint8_t>& flags, Op op,
                       bool is_exclusive, T initial) {
  std::vector<T> results(values.size());
  T before = initial;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool begins = i == 0 || flags[i] != 0;
    if (begins) before = initial;
    const T including = begins && !is_exclusive ? values[i] : static_cast<T>(op(before, values[i]));
    results[i] = is_exclusive ? before : including;
    before = including;
  }
  return results;
}

// Keys that change where a segment begins; segments that are not adjacent may have equal keys.
std::vector<int> keys_of(const std::vector<std::uint8_t>& flags) {
  std::vector<int> keys(flags.size());
  int key = 5;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (i > 0 && flags[i] != 0) key = key == 5 ? 6 : key == 6 ? 7 : 5;
    keys[i] = key;
  }
  return keys;
}

template <typename T>
std::vector<T> samples(std::int64_t count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if constexpr (std::is_same_v<T, affine>) {
      values[i] = {static_cast<std::uint32_t>(sample_bits(seed(), i)) | 1,
                   static_cast<std::uint32_t>(i)};
    } else {
      values[i] = sample<T>(seed(), i);
    }
  }
  return values;
}

template <typename T>
std::int64_t first_difference(const std::vector<T>& a, const std::vector<T>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(a[i] == b[i])) return static_cast<std::int64_t>(i);
  }
  return -1;
}

// Some elements before and after an array reveal writes outside it.
template <typename T>
std::vector<T> results_in_guards(std::int64_t count, int offset,
                                 const std::function<void(T*)>& scan) {
  const std::size_t before = 16 + static_cast<std::size_t>(offset);
  const device_array<T> output(before + static_cast<std::size_t>(count) + 16);
  const auto poisoned = output.values();
  scan(output.data() + before);
  check(cudaDeviceSynchronize(), "the scan");
  const auto all = output.values();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i >= before && i < before + static_cast<std::size_t>(count)) continue;
    EXPECT_TRUE(all[i] == poisoned[i]) << "element " << i << " beside the output was written";
  }
  return {all.begin() + static_cast<std::ptrdiff_t>(before),
          all.begin() + static_cast<std::ptrdiff_t>(before) + count};
}

constexpr std::int64_t sizes[] = {1, 2, 33, tile - 1, tile, tile + 1, 9 * tile + 5};
constexpr std::uint64_t means[] = {1, 3, 100, 5000, 1'000'000};

template <typename T, typename Op>
void expect_scans_by_flags(Op op, T initial) {
  HEDDLE_NAME_SEED();
  workspace work;
  for (const std::int64_t count : sizes) {
    for (const std::uint64_t mean : means) {
      const auto values = samples<T>(count);
      const auto flags = random_flags(count, mean);
      const device_array<T> input(values);
      const device_array<std::uint8_t> marks(flags);
      const auto* const from = static_cast<const T*>(input.data());
      const auto* const heads = static_cast<const std::uint8_t*>(marks.data());
      const auto inclusive = results_in_guards<T>(count, 0, [&](T* output) {
        device::segmented_inclusive_scan(work, from, heads, output, count, op);
      });
      EXPECT_EQ(first_difference(inclusive, scanned(values, flags, op, false, initial)), -1)
          << count << " elements, segments of " << mean;
      const auto exclusive = results_in_guards<T>(count, 0, [&](T* output) {
        device::segmented_exclusive_scan_from(work, initial, from, heads, output, count, op);
      });
      EXPECT_EQ(first_difference(exclusive, scanned(values, flags, op, true, initial)), -1)
          << count << " elements, segments of " << mean;
    }
  }
}

TEST(device_segmented_scan, is_exact_by_flags) { expect_scans_by_flags<int>(heddle::plus{}, 17); }
TEST(device_segmented_scan, keeps_order_when_the_operator_does_not_commute) {
  expect_scans_by_flags<affine>(then{}, affine{3, 4});
}

TEST(device_segmented_scan, is_exact_by_key_at_every_alignment) {
  HEDDLE_NAME_SEED();
  workspace work;
  for (const std::int64_t count : sizes) {
    for (const std::uint64_t mean : means) {
      for (int offset = 0; offset < 4; ++offset) {
        const int key_offset = offset * 3 % 4;
        auto values = samples<int>(count);
        const auto flags = random_flags(count, mean);
        auto keys = keys_of(flags);
        const auto inclusive_wanted = scanned(values, flags, heddle::plus{}, false, 0);
        const auto exclusive_wanted = scanned(values, flags, heddle::plus{}, true, 0);
        values.insert(values.begin(), static_cast<std::size_t>(offset), 99);
        keys.insert(keys.begin(), static_cast<std::size_t>(key_offset), 5);
        const device_array<int> input(values);
        const device_array<int> all_keys(keys);
        const int* const from = input.data() + offset;
        const int* const by = all_keys.data() + key_offset;
        const auto inclusive = results_in_guards<int>(count, offset, [&](int* output) {
          device::inclusive_scan_by_key(work, by, from, output, count);
        });
        EXPECT_EQ(first_difference(inclusive, inclusive_wanted), -1)
            << count << " elements, segments of " << mean << ", offset " << offset;
        const auto exclusive = results_in_guards<int>(count, 0, [&](int* output) {
          device::exclusive_scan_by_key(work, by, from, output, count);
        });
        EXPECT_EQ(first_difference(exclusive, exclusive_wanted), -1)
            << count << " elements, segments of " << mean << ", offset " << offset;
      }
    }
  }
}

// Cases where the public functions would choose a different kernel: whole and partial tiles, on a
// boundary and next to it.
TEST(device_segmented_scan, is_exact_by_key_in_every_kernel) {
  HEDDLE_NAME_SEED();
  workspace work;
  for (const std::int64_t count : {std::int64_t{700}, tile, 3 * tile + 5}) {
    for (const std::uint64_t mean : {1, 5, 300}) {
      for (const int offset : {0, 1}) {
        auto values = samples<int>(count);
        const auto flags = random_flags(count, mean);
        auto keys = keys_of(flags);
        const auto wanted = scanned(values, flags, heddle::plus{}, false, 0);
        values.insert(values.begin(), static_cast<std::size_t>(offset), 99);
        keys.insert(keys.begin(), static_cast<std::size_t>(offset), 5);
        const device_array<int> input(values);
        const device_array<int> all_keys(keys);
        for (int which = 0; which < 3; ++which) {
          const auto found = results_in_guards<int>(count, offset, [&](int* output) {
            const key_problem by_key{input.data() + offset,
                                     all_keys.data() + offset,
                                     output,
                                     count,
                                     {},
                                     false,
                                     {0, 0},
                                     0};
            const bool is_done =
                which == 0 ? device::detail::scan_by_pipeline<setting>(work, by_key)
                : which == 1
                    ? device::detail::scan_short<device::detail::short_scan_setting>(work, by_key)
                    : false;
            if (!is_done) device::detail::scan_plainly<setting>(work, by_key);
          });
          EXPECT_EQ(first_difference(found, wanted), -1)
              << count << " elements, segments of " << mean << ", offset " << offset << ", kernel "
              << which;
        }
      }
    }
  }
}

// Keys computed on access: the number of a segment of `length` elements.
struct divided_by {
  std::int64_t length;
  __host__ __device__ std::int64_t operator()(std::int64_t i) const { return i / length; }
};

TEST(device_segmented_scan, reads_keys_and_values_from_iterators) {
  workspace work;
  const std::int64_t count = 3 * tile + 11;
  for (const std::int64_t length : {1, 7, 1000, 100'000}) {
    const device_array<std::int64_t> output(static_cast<std::size_t>(count));
    device::inclusive_scan_by_key(
        work, device::transformed{device::counting<std::int64_t>{}, divided_by{length}},
        device::constant<std::int64_t>{1}, output.data(), count);
    check(cudaDeviceSynchronize(), "the scan");
    const auto results = output.values();
    for (std::int64_t i = 0; i < count; ++i) {
      ASSERT_EQ(results[static_cast<std::size_t>(i)], i % length + 1) << i;
    }
  }
}

TEST(device_segmented_scan, is_exact_by_offsets_with_empty_segments) {
  HEDDLE_NAME_SEED();
  workspace work;
  for (const std::int64_t count : sizes) {
    for (const std::uint64_t mean : means) {
      const auto values = samples<int>(count);
      auto flags = random_flags(count, mean);
      std::vector<std::int32_t> offsets;
      for (std::size_t i = 0; i < flags.size(); ++i) {
        // Some segments begin at the same element: all but the last of them are empty.
        const int segments = flags[i] == 0 ? 0 : 1 + static_cast<int>(sample_bits(7, i) % 3);
        for (int segment = 0; segment < segments; ++segment) {
          offsets.push_back(static_cast<std::int32_t>(i));
        }
      }
      offsets.push_back(static_cast<std::int32_t>(count));
      const device_array<int> input(values);
      const device_array<std::int32_t> begins(offsets);
      const auto* const from = static_cast<const int*>(input.data());
      const auto* const at = static_cast<const std::int32_t*>(begins.data());
      const auto segments = static_cast<std::int64_t>(offsets.size());
      const auto inclusive = results_in_guards<int>(count, 0, [&](int* output) {
        device::inclusive_scan_by_offsets(work, from, at, segments, output, count);
      });
      EXPECT_EQ(first_difference(inclusive, scanned(values, flags, heddle::plus{}, false, 0)), -1)
          << count << " elements, segments of " << mean;
      const auto exclusive = results_in_guards<int>(count, 0, [&](int* output) {
        device::exclusive_scan_by_offsets(work, from, at, segments, output, count);
      });
      EXPECT_EQ(first_difference(exclusive, scanned(values, flags, heddle::plus{}, true, 0)), -1)
          << count << " elements, segments of " << mean;
    }
  }
}

// All calls share the memory in which they mark segment starts, and nothing waits in between.
TEST(device_segmented_scan, can_be_called_repeatedly_by_offsets) {
  HEDDLE_NAME_SEED();
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
  {
    workspace work(stream);
    constexpr std::int64_t count = 10 * tile + 3;
    constexpr std::int64_t most_segments = 40;
    static_assert(count > 500 * most_segments, "every offset is one of an element");
    const device_array<unsigned> outputs(most_segments * count);
    std::vector<std::int64_t> offsets(most_segments);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      offsets[i] = static_cast<std::int64_t>(i) * 500 + static_cast<std::int64_t>(seed() % 500);
    }
    const device_array<std::int64_t> begins(offsets);
    check(cudaDeviceSynchronize(), "the arrays, which another stream has filled");
    for (std::int64_t segments = 0; segments < most_segments; ++segments) {
      // Each call marks different elements: those of the last `segments` offsets.
      device::inclusive_scan_by_offsets(
          work, device::constant<unsigned>{1},
          static_cast<const std::int64_t*>(begins.data()) + most_segments - segments, segments,
          outputs.data() + segments * count, count);
    }
    check(cudaStreamSynchronize(stream), "the scans");
    const auto results = outputs.values();
    for (std::int64_t segments = 0; segments < most_segments; ++segments) {
      std::int64_t next = most_segments - segments;
      unsigned length = 0;
      for (std::int64_t i = 0; i < count; ++i) {
        if (next < most_segments && offsets[static_cast<std::size_t>(next)] == i) {
          length = 0;
          ++next;
        }
        ASSERT_EQ(results[static_cast<std::size_t>(segments * count + i)], ++length)
            << "element " << i << " of " << segments << " segments";
      }
    }
  }
  check(cudaStreamDestroy(stream), "destroy");
}

TEST(device_segmented_scan, sums_halfs_in_float) {
  HEDDLE_NAME_SEED();
  workspace work;
  const std::int64_t count = 30'000;
  const auto flags = random_flags(count, 9000);
  std::vector<__half> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<__half>(0.25f * static_cast<float>(sample_bits(seed(), i) % 5));
  }
  const device_array<__half> both(values);
  const device_array<std::uint8_t> marks(flags);
  device::segmented_inclusive_scan(work, static_cast<const __half*>(both.data()),
                                   static_cast<const std::uint8_t*>(marks.data()), both.data(),
                                   count);
  check(cudaDeviceSynchronize(), "the scan");
  const auto results = both.values();
  float sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum = (flags[i] != 0 ? 0 : sum) + static_cast<float>(values[i]);
    ASSERT_EQ(static_cast<float>(results[i]), static_cast<float>(static_cast<__half>(sum))) << i;
  }
}

}  // namespace
