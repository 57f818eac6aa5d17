// device::inclusive_scan and exclusive_scan, with and without an initial value, against plain
// loops: all kernels, sizes around tiles, alignments, types, in place and in a row.
#include <heddle/device/iterators.cuh>
#include <heddle/device/scan.cuh>

#include <cstring>
#include <iterator>
#include <memory>

#include "support/on_device.cuh"
#include "support/operators.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::device::workspace;
namespace device = heddle::device;

using int_problem = device::detail::whole_scan<const int*, int*, heddle::plus, false>;
template <typename Setting>
constexpr std::int64_t tile_of =
    device::detail::shape_of<int_problem, Setting::warps, Setting::lane_bytes>::tile_items;
constexpr std::int64_t int_tile = tile_of<device::detail::scan_setting_of<int_problem>>;
constexpr std::int64_t short_tile = tile_of<device::detail::short_scan_setting>;
constexpr std::int64_t medium_tile = tile_of<device::detail::medium_scan_setting<int_problem>>;

constexpr std::int64_t sizes[] = {1,
                                  2,
                                  31,
                                  33,
                                  511,
                                  513,
                                  short_tile - 1,
                                  short_tile,
                                  short_tile + 1,
                                  7 * short_tile + 3,
                                  7 * medium_tile + 3,
                                  int_tile - 1,
                                  int_tile,
                                  int_tile + 1,
                                  2 * int_tile,
                                  5 * int_tile + 77,
                                  40 * int_tile - 3};

// A device array between guards, `offset` elements after a boundary of 256 bytes.
template <typename T>
class guarded_array {
 public:
  guarded_array(std::int64_t count, int offset)
      : count_(static_cast<std::size_t>(count)),
        before_(256 / sizeof(T) * sizeof(T) % 256 == 0 ? 256 / sizeof(T) + offset : 256 + offset),
        memory_(before_ + count_ + guard_) {}
  guarded_array(const std::vector<T>& values, int offset)
      : guarded_array(static_cast<std::int64_t>(values.size()), offset) {
    put(values);
  }
  void put(const std::vector<T>& values) {
    check(cudaMemcpy(data(), values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), "copy");
  }
  T* data() const { return memory_.data() + before_; }
  std::vector<T> values() const {
    const auto all = memory_.values();
    return {all.begin() + static_cast<std::ptrdiff_t>(before_),
            all.begin() + static_cast<std::ptrdiff_t>(before_ + count_)};
  }
  bool guards_are_whole() const {
    const auto all = memory_.values();
    const auto* const bytes = reinterpret_cast<const unsigned char*>(all.data());
    for (std::size_t i = 0; i < all.size() * sizeof(T); ++i) {
      const bool is_inside = i >= before_ * sizeof(T) && i < (before_ + count_) * sizeof(T);
      if (!is_inside && bytes[i] != 0xa5) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t guard_ = 64;
  std::size_t count_;
  std::size_t before_;
  device_array<T> memory_;
};

enum class kernel { chosen, pipeline, plain, at_once, at_once_in_large_tiles };
constexpr kernel kernels[] = {kernel::pipeline, kernel::plain, kernel::at_once,
                              kernel::at_once_in_large_tiles};

// Calls the public functions, or the given kernel if it can do this scan.
template <bool is_exclusive, typename T, typename Op>
void scan_by(kernel which, workspace& work, const T* input, T* output, std::int64_t count, Op op,
             bool has_initial, const T& initial) {
  using problem = device::detail::whole_scan<const T*, T*, Op, is_exclusive>;
  using setting = device::detail::scan_setting_of<problem>;
  const problem wanted{
      input, {}, output, count, op, has_initial, static_cast<typename problem::item>(initial)};
  using short_setting = device::detail::short_scan_setting;
  if (which == kernel::chosen) {
    device::detail::launch_scan(work, wanted);
    return;
  }
  bool is_done = false;
  if (which == kernel::pipeline) {
    is_done = device::detail::scan_by_pipeline<setting>(work, wanted);
  } else if (which == kernel::at_once) {
    is_done = device::detail::scan_short<short_setting>(work, wanted);
  } else if (which == kernel::at_once_in_large_tiles) {
    is_done =
        device::detail::scan_short<device::detail::medium_scan_setting<problem>>(work, wanted);
  }
  if (!is_done) device::detail::scan_plainly<setting>(work, wanted);
}

template <typename T, typename Op>
std::vector<T> scanned(const std::vector<T>& values, Op op, bool is_exclusive, bool has_initial,
                       T initial) {
  std::vector<T> results(values.size());
  T before = initial;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const T including = has_initial || i > 0 ? static_cast<T>(op(before, values[i])) : values[i];
    results[i] = is_exclusive ? before : including;
    before = including;
  }
  return results;
}

template <typename T, typename Make>
std::vector<T> made(std::int64_t count, Make&& make) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = make(i);
  return values;
}

template <typename T>
std::vector<T> samples(std::int64_t count) {
  return made<T>(count, [](std::size_t i) { return sample<T>(seed(), i); });
}

template <typename T>
std::int64_t first_difference(const std::vector<T>& a, const std::vector<T>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(a[i] == b[i])) return static_cast<std::int64_t>(i);
  }
  return -1;
}

template <bool is_exclusive, typename T, typename Op>
void expect_scan(kernel which, workspace& work, const std::vector<T>& values, Op op,
                 bool has_initial, T initial, int input_offset = 0, int output_offset = 0) {
  const guarded_array<T> input(values, input_offset);
  const auto count = static_cast<std::int64_t>(values.size());
  const guarded_array<T> output(count, output_offset);
  scan_by<is_exclusive>(which, work, static_cast<const T*>(input.data()), output.data(), count, op,
                        has_initial, initial);
  check(cudaStreamSynchronize(work.stream()), "the scan");
  const auto wanted = scanned(values, op, is_exclusive, has_initial, initial);
  EXPECT_EQ(first_difference(output.values(), wanted), -1)
      << count << " elements of " << sizeof(T) << " bytes at " << input_offset << " and "
      << output_offset << ", kernel " << static_cast<int>(which);
  EXPECT_TRUE(output.guards_are_whole()) << count << " elements";
  EXPECT_EQ(first_difference(input.values(), values), -1) << "the input has changed";
}

TEST(device_scan, is_exact_for_sizes_around_tiles) {
  HEDDLE_NAME_SEED();
  workspace work;
  for (const kernel which : kernels) {
    for (const std::int64_t size : sizes) {
      const auto values = samples<int>(size);
      expect_scan<false>(which, work, values, heddle::plus{}, false, 0);
      expect_scan<true>(which, work, values, heddle::plus{}, true, 12345);
    }
  }
}

TEST(device_scan, is_exact_for_random_sizes_and_places) {
  HEDDLE_NAME_SEED();
  workspace work;
  for (std::uint64_t i = 0; i < 40; ++i) {
    const std::uint64_t bits = sample_bits(seed(), i);
    const auto values = samples<int>(static_cast<std::int64_t>(bits % (6 * int_tile)) + 1);
    const kernel which = kernels[(bits >> 40) % std::size(kernels)];
    expect_scan<false>(which, work, values, heddle::plus{}, (bits >> 41 & 1) != 0, -7,
                       static_cast<int>(bits >> 44 & 3), static_cast<int>(bits >> 46 & 3));
  }
}

TEST(device_scan, takes_every_alignment_of_bytes) {
  HEDDLE_NAME_SEED();
  workspace work;
  const auto values = samples<std::uint8_t>(100'001);
  for (int offset = 0; offset < 16; ++offset) {
    expect_scan<false>(kernel::chosen, work, values, heddle::plus{}, false, std::uint8_t{0}, offset,
                       offset * 5 % 16);
    expect_scan<false>(kernel::chosen, work, samples<std::uint8_t>(offset + 1), heddle::plus{},
                       false, std::uint8_t{0}, offset, offset);
  }
}

TEST(device_scan, keeps_order_when_the_operator_does_not_commute) {
  HEDDLE_NAME_SEED();
  workspace work;
  const auto values = made<affine>(70'003, [](std::size_t i) {
    const std::uint64_t bits = sample_bits(seed(), i);
    return affine{static_cast<std::uint32_t>(bits) | 1, static_cast<std::uint32_t>(bits >> 32)};
  });
  for (const kernel which : kernels) {
    expect_scan<false>(which, work, values, then{}, false, affine{});
    expect_scan<true>(which, work, values, then{}, true, affine{3, 4}, 1, 0);
  }
}

// A map with padding, so it can have any size; the library knows no identity for it.
template <int words>
struct long_map {
  std::uint32_t scale, shift;
  std::uint32_t tail[words - 2];
  friend bool operator==(const long_map& a, const long_map& b) {
    return std::memcmp(&a, &b, sizeof(a)) == 0;
  }
};
struct then_long {
  template <int words>
  __host__ __device__ long_map<words> operator()(const long_map<words>& first,
                                                 const long_map<words>& second) const {
    long_map<words> both = second;
    both.scale = first.scale * second.scale;
    both.shift = first.shift * second.scale + second.shift;
    for (int i = 0; i < words - 2; ++i) both.tail[i] = first.tail[i] + second.tail[i];
    return both;
  }
};

template <int words>
void expect_long_maps() {
  HEDDLE_NAME_SEED();
  workspace work;
  const auto values = made<long_map<words>>(20'011, [](std::size_t i) {
    long_map<words> map;
    for (int word = 0; word < words; ++word) {
      reinterpret_cast<std::uint32_t*>(&map)[word] = static_cast<std::uint32_t>(
          sample_bits(seed(), i * words + static_cast<std::size_t>(word)));
    }
    return map;
  });
  for (const kernel which : kernels) {
    expect_scan<false>(which, work, values, then_long{}, false, values[0]);
    expect_scan<false>(which, work, values, then_long{}, true, values[1], 1, 1);
  }
}

TEST(device_scan, takes_structs_of_12_bytes) { expect_long_maps<3>(); }
TEST(device_scan, takes_structs_of_16_bytes) { expect_long_maps<4>(); }
TEST(device_scan, takes_structs_of_24_bytes) { expect_long_maps<6>(); }
TEST(device_scan, takes_structs_of_64_bytes) { expect_long_maps<16>(); }

TEST(device_scan, scans_in_place) {
  HEDDLE_NAME_SEED();
  workspace work;
  const auto values = samples<int>(7 * int_tile + 5);
  const auto count = static_cast<std::int64_t>(values.size());
  for (const kernel which : kernels) {
    for (const int offset : {0, 1}) {
      const guarded_array<int> both(values, offset);
      scan_by<false>(which, work, static_cast<const int*>(both.data()), both.data(), count,
                     heddle::plus{}, false, 0);
      check(cudaStreamSynchronize(work.stream()), "the scan");
      EXPECT_EQ(first_difference(both.values(), scanned(values, heddle::plus{}, false, false, 0)),
                -1)
          << "at " << offset;
      EXPECT_TRUE(both.guards_are_whole());
    }
  }
}

// Sums that float holds exactly, so each result is the exact sum rounded once.
template <typename Short>
void expect_sums_in_float() {
  HEDDLE_NAME_SEED();
  workspace work;
  const auto values = made<Short>(40'000, [](std::size_t i) {
    return static_cast<Short>(0.25f * static_cast<float>(sample_bits(seed(), i) % 5));
  });
  const device_array<Short> input(values);
  const device_array<Short> output(values.size());
  device::inclusive_scan(work, static_cast<const Short*>(input.data()), output.data(),
                         static_cast<std::int64_t>(values.size()));
  check(cudaStreamSynchronize(work.stream()), "the scan");
  float sum = 0;
  const auto results = output.values();
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += static_cast<float>(values[i]);
    ASSERT_EQ(static_cast<float>(results[i]), static_cast<float>(static_cast<Short>(sum))) << i;
  }
}
TEST(device_scan, sums_halfs_in_float) { expect_sums_in_float<__half>(); }
TEST(device_scan, sums_bfloat16s_in_float) { expect_sums_in_float<__nv_bfloat16>(); }

std::vector<float> float_sums(kernel which, workspace& work, const std::vector<float>& values,
                              int offset) {
  const guarded_array<float> input(values, offset);
  const auto count = static_cast<std::int64_t>(values.size());
  const guarded_array<float> output(count, offset);
  scan_by<false>(which, work, static_cast<const float*>(input.data()), output.data(), count,
                 heddle::plus{}, false, 0.0f);
  check(cudaStreamSynchronize(work.stream()), "the scan");
  return output.values();
}

TEST(device_scan, gives_floats_the_same_bits_on_every_run_in_every_way) {
  HEDDLE_NAME_SEED();
  workspace work;
  const auto values = samples<float>(75 * int_tile + 111);
  const auto once = float_sums(kernel::pipeline, work, values, 0);
  double exact = 0, magnitude = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    exact += values[i];
    magnitude += values[i] < 0 ? -values[i] : values[i];
    ASSERT_NEAR(once[i], exact, 1e-6 * magnitude) << i;
  }
  for (int run = 0; run < 3; ++run) {
    EXPECT_EQ(first_difference(float_sums(kernel::pipeline, work, values, run), once), -1) << run;
    EXPECT_EQ(first_difference(float_sums(kernel::plain, work, values, run), once), -1) << run;
  }
}

TEST(device_scan, gives_short_inputs_of_floats_the_same_bits_on_every_run) {
  HEDDLE_NAME_SEED();
  workspace work;
  const auto values = samples<float>(7 * short_tile + 111);
  const auto once = float_sums(kernel::at_once, work, values, 0);
  double exact = 0, magnitude = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    exact += values[i];
    magnitude += values[i] < 0 ? -values[i] : values[i];
    ASSERT_NEAR(once[i], exact, 1e-6 * magnitude) << i;
  }
  for (int run = 1; run < 4; ++run) {
    EXPECT_EQ(first_difference(float_sums(kernel::at_once, work, values, run), once), -1) << run;
  }
}

TEST(device_scan, leaves_the_output_alone_if_there_is_nothing_to_scan) {
  workspace work;
  const guarded_array<int> output(0, 0);
  device::inclusive_scan(work, static_cast<const int*>(nullptr), output.data(), 0);
  check(cudaStreamSynchronize(work.stream()), "the scan");
  EXPECT_TRUE(output.guards_are_whole());
}

TEST(device_scan, refuses_a_negative_count) {
  workspace work;
  int* const nowhere = nullptr;
  EXPECT_THROW(device::inclusive_scan(work, static_cast<const int*>(nowhere), nowhere, -1),
               heddle::error);
}

TEST(device_scan, begins_exclusive_scans_with_the_identity) {
  workspace work;
  const device_array<int> input(std::vector<int>{5, 6, 7});
  const device_array<int> output(3);
  device::exclusive_scan(work, static_cast<const int*>(input.data()), output.data(), 3);
  check(cudaStreamSynchronize(work.stream()), "the scan");
  EXPECT_EQ(output.values(), (std::vector<int>{0, 5, 11}));
  device::exclusive_scan_from(work, 100, static_cast<const int*>(input.data()), output.data(), 3);
  check(cudaStreamSynchronize(work.stream()), "the scan");
  EXPECT_EQ(output.values(), (std::vector<int>{100, 105, 111}));
  device::inclusive_scan_from(work, 100, static_cast<const int*>(input.data()), output.data(), 3);
  check(cudaStreamSynchronize(work.stream()), "the scan");
  EXPECT_EQ(output.values(), (std::vector<int>{105, 111, 118}));
}

TEST(device_scan, reads_iterators) {
  workspace work;
  const std::int64_t count = 3 * int_tile + 1;
  const guarded_array<std::int64_t> output(count, 0);
  device::inclusive_scan(work, device::counting<std::int64_t>{1}, output.data(), count);
  check(cudaStreamSynchronize(work.stream()), "the scan");
  const auto results = output.values();
  for (std::int64_t i = 0; i < count; ++i) {
    ASSERT_EQ(results[static_cast<std::size_t>(i)], (i + 1) * (i + 2) / 2) << i;
  }
  EXPECT_TRUE(output.guards_are_whole());
}

TEST(device_scan, can_be_called_repeatedly_with_other_sizes_and_types) {
  HEDDLE_NAME_SEED();
  workspace work;
  std::vector<std::int64_t> counts;
  for (std::uint64_t i = 0; i < 30; ++i) {
    counts.push_back(1 + static_cast<std::int64_t>(sample_bits(seed() + 1, i) % (3 * int_tile)));
  }
  const auto ints = samples<int>(3 * int_tile);
  const auto maps = made<affine>(3 * int_tile, [](std::size_t i) {
    return affine{static_cast<std::uint32_t>(2 * i + 1), static_cast<std::uint32_t>(i)};
  });
  const device_array<int> int_input(ints);
  const device_array<affine> map_input(maps);
  std::vector<std::unique_ptr<guarded_array<int>>> int_outputs;
  std::vector<std::unique_ptr<guarded_array<affine>>> map_outputs;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    int_outputs.push_back(std::make_unique<guarded_array<int>>(counts[i], 0));
    map_outputs.push_back(std::make_unique<guarded_array<affine>>(counts[i], 0));
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const kernel which = kernels[i % std::size(kernels)];
    scan_by<false>(which, work, static_cast<const int*>(int_input.data()), int_outputs[i]->data(),
                   counts[i], heddle::plus{}, false, 0);
    scan_by<false>(which, work, static_cast<const affine*>(map_input.data()),
                   map_outputs[i]->data(), counts[i], then{}, false, affine{});
  }
  check(cudaStreamSynchronize(work.stream()), "the scans");
  const auto int_results = scanned(ints, heddle::plus{}, false, false, 0);
  const auto map_results = scanned(maps, then{}, false, false, affine{});
  for (std::size_t i = 0; i < counts.size(); ++i) {
    EXPECT_EQ(first_difference(int_outputs[i]->values(), int_results), -1) << counts[i];
    EXPECT_EQ(first_difference(map_outputs[i]->values(), map_results), -1) << counts[i];
    EXPECT_TRUE(int_outputs[i]->guards_are_whole() && map_outputs[i]->guards_are_whole());
  }
}

TEST(device_scan, counts_beyond_32_bits) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "properties");
  const std::int64_t count = (std::int64_t{1} << 32) + 3 * int_tile + 7;
  if (properties.totalGlobalMem < 12'000'000'000ull || properties.multiProcessorCount < 32) {
    GTEST_SKIP() << "needs 12 GB on a GPU";
  }
  workspace work;
  const device_array<std::uint8_t> values(static_cast<std::size_t>(count));
  check(cudaMemset(values.data(), 1, static_cast<std::size_t>(count)), "ones");
  device::inclusive_scan(work, static_cast<const std::uint8_t*>(values.data()), values.data(),
                         count);
  check(cudaStreamSynchronize(work.stream()), "the scan");
  const auto results = values.values();
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    wrong += results[static_cast<std::size_t>(i)] != static_cast<std::uint8_t>(i + 1) ? 1 : 0;
  }
  EXPECT_EQ(wrong, 0);
}

}  // namespace
