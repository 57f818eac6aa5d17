// cub::Device*Sort: radix and merge sorts of arrays and of segments.
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include <algorithm>
#include <numeric>

#include "expect.hpp"

using expected::array;
using expected::run;

template <typename Key>
void test_radix(const char* what, int count, int least, int most) {
  auto keys = expected::numbers<Key>(count, least, most);
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 0);
  const array<Key> in(keys), sorted(count), descending(count);
  const array<int> places(values), moved(count);
  run(what, [&](void* scratch, size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(scratch, bytes, in.get(), sorted.get(), places.get(),
                                           moved.get(), count);
  });
  run(what, [&](void* scratch, size_t& bytes) {
    return cub::DeviceRadixSort::SortKeysDescending(scratch, bytes, in.get(), descending.get(),
                                                    count);
  });
  std::stable_sort(values.begin(), values.end(), [&](int a, int b) { return keys[a] < keys[b]; });
  std::sort(keys.begin(), keys.end());
  expected::equal(what, sorted.read(), keys);
  expected::equal(what, moved.read(), values);
  std::reverse(keys.begin(), keys.end());
  expected::equal(what, descending.read(), keys);
}

struct by_last_digit {
  __host__ __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};

void test_merge(int count) {
  auto keys = expected::numbers<int>(count, 0, 1000, 2);
  const array<int> in(keys);
  run("DeviceMergeSort::StableSortKeys", [&](void* scratch, size_t& bytes) {
    return cub::DeviceMergeSort::StableSortKeys(scratch, bytes, in.get(), count, by_last_digit());
  });
  std::stable_sort(keys.begin(), keys.end(), by_last_digit());
  expected::equal("DeviceMergeSort::StableSortKeys", in.read(), keys);
}

void test_segmented() {
  auto keys = expected::numbers<int>(4000, -500, 500, 3);
  const std::vector<int> offsets{0, 0, 3, 40, 1500, 4000};
  const array<int> in(keys), begins(offsets), sorted(keys.size());
  run("DeviceSegmentedSort::SortKeys", [&](void* scratch, size_t& bytes) {
    return cub::DeviceSegmentedSort::SortKeys(
        scratch, bytes, in.get(), sorted.get(), static_cast<int>(keys.size()),
        static_cast<int>(offsets.size()) - 1, begins.get(), begins.get() + 1);
  });
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
    std::sort(keys.begin() + offsets[i], keys.begin() + offsets[i + 1]);
  expected::equal("DeviceSegmentedSort::SortKeys", sorted.read(), keys);
}

int main() {
  for (const int count : {1, 100, 9000}) {
    test_radix<unsigned>("radix sort of unsigned", count, 0, 5000);
    test_radix<int>("radix sort of int", count, -5000, 5000);
    test_radix<float>("radix sort of float", count, -5000, 5000);
    test_radix<unsigned char>("radix sort of bytes", count, 0, 255);
    test_merge(count);
  }
  test_segmented();
  return expected::report();
}
