// cub::Device*: reductions, scans, selections, run lengths and histograms of arrays.
#include <cub/device/device_adjacent_difference.cuh>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_select.cuh>

#include <algorithm>
#include <numeric>

#include "expect.hpp"

using expected::array;
using expected::run;

struct sum {  // CUB's own is called cub::Sum before 2.0, and cuda::std::plus after it
  __host__ __device__ int operator()(int a, int b) const { return a + b; }
};

struct is_even {
  __host__ __device__ bool operator()(int value) const { return value % 2 == 0; }
};
struct greatest {
  __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

void test_reduce(int count) {
  const auto values = expected::numbers<int>(count, -1000, 1000);
  const array<int> in(values), sum(1), least(1), most(1), any(1);
  run("DeviceReduce::Sum", [&](void* scratch, size_t& bytes) {
    return cub::DeviceReduce::Sum(scratch, bytes, in.get(), sum.get(), count);
  });
  run("DeviceReduce::Min", [&](void* scratch, size_t& bytes) {
    return cub::DeviceReduce::Min(scratch, bytes, in.get(), least.get(), count);
  });
  run("DeviceReduce::Max", [&](void* scratch, size_t& bytes) {
    return cub::DeviceReduce::Max(scratch, bytes, in.get(), most.get(), count);
  });
  run("DeviceReduce::Reduce", [&](void* scratch, size_t& bytes) {
    return cub::DeviceReduce::Reduce(scratch, bytes, in.get(), any.get(), count, greatest(), -5000);
  });
  expected::equal("DeviceReduce::Sum", sum.read(),
                  {std::accumulate(values.begin(), values.end(), 0)});
  const auto [smallest, largest] = std::minmax_element(values.begin(), values.end());
  expected::equal("DeviceReduce::Min", least.read(), {*smallest});
  expected::equal("DeviceReduce::Max", most.read(), {*largest});
  expected::equal("DeviceReduce::Reduce", any.read(), {*largest});
}

void test_segments() {
  const auto values = expected::numbers<int>(5000, -1000, 1000, 2);
  const std::vector<int> offsets{0, 1, 1, 700, 1500, 4999, 5000};
  const array<int> in(values), begins(offsets), sums(offsets.size() - 1);
  run("DeviceSegmentedReduce::Sum", [&](void* scratch, size_t& bytes) {
    return cub::DeviceSegmentedReduce::Sum(scratch, bytes, in.get(), sums.get(),
                                           static_cast<int>(offsets.size()) - 1, begins.get(),
                                           begins.get() + 1);
  });
  std::vector<int> wanted;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
    wanted.push_back(
        std::accumulate(values.begin() + offsets[i], values.begin() + offsets[i + 1], 0));
  expected::equal("DeviceSegmentedReduce::Sum", sums.read(), wanted);
}

void test_scan(int count) {
  const auto values = expected::numbers<int>(count, -1000, 1000, 3);
  const array<int> in(values), exclusive(count), inclusive(count), most(count);
  run("DeviceScan::ExclusiveSum", [&](void* scratch, size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(scratch, bytes, in.get(), exclusive.get(), count);
  });
  run("DeviceScan::InclusiveSum", [&](void* scratch, size_t& bytes) {
    return cub::DeviceScan::InclusiveSum(scratch, bytes, in.get(), inclusive.get(), count);
  });
  run("DeviceScan::InclusiveScan", [&](void* scratch, size_t& bytes) {
    return cub::DeviceScan::InclusiveScan(scratch, bytes, in.get(), most.get(), greatest(), count);
  });
  std::vector<int> with(count), without(count, 0), so_far(count);
  std::partial_sum(values.begin(), values.end(), with.begin());
  std::copy(with.begin(), with.end() - 1, without.begin() + 1);
  std::partial_sum(values.begin(), values.end(), so_far.begin(), greatest());
  expected::equal("DeviceScan::ExclusiveSum", exclusive.read(), without);
  expected::equal("DeviceScan::InclusiveSum", inclusive.read(), with);
  expected::equal("DeviceScan::InclusiveScan", most.read(), so_far);
}

void test_by_key(int count) {
  const auto keys = expected::numbers<int>(count, 0, 2, 4),
             values = expected::numbers<int>(count, -9, 9, 5);
  const array<int> device_keys(keys), device_values(values), unique(count), sums(count), runs(1);
  run("DeviceReduce::ReduceByKey", [&](void* scratch, size_t& bytes) {
    return cub::DeviceReduce::ReduceByKey(scratch, bytes, device_keys.get(), unique.get(),
                                          device_values.get(), sums.get(), runs.get(), sum(),
                                          count);
  });
  const array<int> run_keys(count), lengths(count), encoded(1);
  run("DeviceRunLengthEncode::Encode", [&](void* scratch, size_t& bytes) {
    return cub::DeviceRunLengthEncode::Encode(scratch, bytes, device_keys.get(), run_keys.get(),
                                              lengths.get(), encoded.get(), count);
  });
  std::vector<int> wanted_keys, wanted_sums, wanted_lengths;
  for (int i = 0; i < count; ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) {
      wanted_keys.push_back(keys[i]);
      wanted_sums.push_back(0);
      wanted_lengths.push_back(0);
    }
    wanted_sums.back() += values[i];
    ++wanted_lengths.back();
  }
  const int found = runs.read()[0];
  expected::equal("ReduceByKey's runs", found, static_cast<int>(wanted_keys.size()));
  expected::equal("ReduceByKey's keys", unique.read(wanted_keys.size()), wanted_keys);
  expected::equal("ReduceByKey's sums", sums.read(wanted_sums.size()), wanted_sums);
  expected::equal("Encode's runs", encoded.read(), {static_cast<int>(wanted_keys.size())});
  expected::equal("Encode's keys", run_keys.read(wanted_keys.size()), wanted_keys);
  expected::equal("Encode's lengths", lengths.read(wanted_lengths.size()), wanted_lengths);
}

void test_select(int count) {
  const auto values = expected::numbers<int>(count, 0, 50, 6);
  const auto flags = expected::numbers<char>(count, 0, 1, 7);
  const array<int> in(values), chosen(count), flagged(count), unique(count), parts(count), sizes(4);
  const array<char> device_flags(flags);
  run("DeviceSelect::If", [&](void* scratch, size_t& bytes) {
    return cub::DeviceSelect::If(scratch, bytes, in.get(), chosen.get(), sizes.get(), count,
                                 is_even());
  });
  run("DeviceSelect::Flagged", [&](void* scratch, size_t& bytes) {
    return cub::DeviceSelect::Flagged(scratch, bytes, in.get(), device_flags.get(), flagged.get(),
                                      sizes.get() + 1, count);
  });
  run("DeviceSelect::Unique", [&](void* scratch, size_t& bytes) {
    return cub::DeviceSelect::Unique(scratch, bytes, in.get(), unique.get(), sizes.get() + 2,
                                     count);
  });
  run("DevicePartition::If", [&](void* scratch, size_t& bytes) {
    return cub::DevicePartition::If(scratch, bytes, in.get(), parts.get(), sizes.get() + 3, count,
                                    is_even());
  });
  std::vector<int> even, odd, marked, different;
  for (int i = 0; i < count; ++i) {
    (is_even()(values[i]) ? even : odd).push_back(values[i]);
    if (flags[i] != 0) marked.push_back(values[i]);
    if (i == 0 || values[i] != values[i - 1]) different.push_back(values[i]);
  }
  const auto size = [](const std::vector<int>& list) { return static_cast<int>(list.size()); };
  expected::equal("sizes of selections", sizes.read(),
                  {size(even), size(marked), size(different), size(even)});
  expected::equal("DeviceSelect::If", chosen.read(even.size()), even);
  expected::equal("DeviceSelect::Flagged", flagged.read(marked.size()), marked);
  expected::equal("DeviceSelect::Unique", unique.read(different.size()), different);
  std::vector<int> both = even;
  both.insert(both.end(), odd.rbegin(), odd.rend());
  expected::equal("DevicePartition::If", parts.read(), both);
}

void test_histogram(int count) {
  const auto values = expected::numbers<float>(count, 0, 99, 8);
  const array<float> in(values);
  const array<int> bins(10);
  run("DeviceHistogram::HistogramEven", [&](void* scratch, size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(scratch, bytes, in.get(), bins.get(), 11, 0.f, 100.f,
                                               count);
  });
  std::vector<int> wanted(10, 0);
  for (const float value : values) ++wanted[static_cast<int>(value) / 10];
  expected::equal("DeviceHistogram::HistogramEven", bins.read(), wanted);
  const array<int> numbers(expected::numbers<int>(count, -50, 50, 9)), differences(count);
  run("DeviceAdjacentDifference", [&](void* scratch, size_t& bytes) {
    return cub::DeviceAdjacentDifference::SubtractLeftCopy(scratch, bytes, numbers.get(),
                                                           differences.get(), count);
  });
  std::vector<int> between(count);
  const std::vector<int> source = numbers.read();
  std::adjacent_difference(source.begin(), source.end(), between.begin());
  expected::equal("DeviceAdjacentDifference", differences.read(), between);
}

int main() {
  for (const int count : {1, 100, 12345}) {
    test_reduce(count);
    test_scan(count);
    test_by_key(count);
    test_select(count);
    test_histogram(count);
  }
  test_segments();
  return expected::report();
}
