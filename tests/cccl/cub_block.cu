// cub::Block*: reductions, scans, loads, stores, exchanges, sorts and histograms of one block.
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>

#include <algorithm>
#include <numeric>

#include "expect.hpp"

using expected::array;

constexpr int threads = 128, items = 4, count = threads * items;

template <cub::BlockReduceAlgorithm algorithm>
__global__ void reduce(const int* in, int* results) {
  using block = cub::BlockReduce<int, threads, algorithm>;
  __shared__ typename block::TempStorage storage;
  int values[items];
  for (int i = 0; i < items; ++i) values[i] = in[threadIdx.x * items + i];
  const int sum = block(storage).Sum(values);
  __syncthreads();
  const int part = block(storage).Sum(values[0], 77);
  if (threadIdx.x == 0) {
    results[0] = sum;
    results[1] = part;
  }
}

template <cub::BlockReduceAlgorithm algorithm>
void test_reduce() {
  const auto values = expected::numbers<int>(count, -100, 100);
  const array<int> in(values), results(2);
  reduce<algorithm><<<1, threads>>>(in, results);
  int part = 0;
  for (int i = 0; i < 77; ++i) part += values[i * items];
  expected::equal("BlockReduce::Sum", results.read(),
                  {std::accumulate(values.begin(), values.end(), 0), part});
}

template <cub::BlockScanAlgorithm algorithm>
__global__ void scan(const int* in, int* inclusive, int* exclusive, int* total) {
  using block = cub::BlockScan<int, threads, algorithm>;
  __shared__ typename block::TempStorage storage;
  int values[items], with[items], without[items], sum;
  for (int i = 0; i < items; ++i) values[i] = in[threadIdx.x * items + i];
  block(storage).InclusiveSum(values, with, sum);
  __syncthreads();
  block(storage).ExclusiveSum(values, without);
  for (int i = 0; i < items; ++i) {
    inclusive[threadIdx.x * items + i] = with[i];
    exclusive[threadIdx.x * items + i] = without[i];
  }
  if (threadIdx.x == threads - 1) *total = sum;
}

template <cub::BlockScanAlgorithm algorithm>
void test_scan() {
  const auto values = expected::numbers<int>(count, -100, 100, 2);
  const array<int> in(values), inclusive(count), exclusive(count), total(1);
  scan<algorithm><<<1, threads>>>(in, inclusive, exclusive, total);
  std::vector<int> with(count), without(count, 0);
  std::partial_sum(values.begin(), values.end(), with.begin());
  std::copy(with.begin(), with.end() - 1, without.begin() + 1);
  expected::equal("BlockScan::InclusiveSum", inclusive.read(), with);
  expected::equal("BlockScan::ExclusiveSum", exclusive.read(), without);
  expected::equal("BlockScan's total", total.read(), {with.back()});
}

template <cub::BlockLoadAlgorithm how_to_load, cub::BlockStoreAlgorithm how_to_store>
__global__ void move(const int* in, int* seen, int* back, int valid) {
  using loader = cub::BlockLoad<int, threads, items, how_to_load>;
  using storer = cub::BlockStore<int, threads, items, how_to_store>;
  __shared__ union {
    typename loader::TempStorage load;
    typename storer::TempStorage store;
  } storage;
  int values[items];
  loader(storage.load).Load(in, values, valid, -1);
  for (int i = 0; i < items; ++i) seen[threadIdx.x * items + i] = values[i];
  __syncthreads();
  storer(storage.store).Store(back, values, valid);
}

template <cub::BlockLoadAlgorithm load, cub::BlockStoreAlgorithm store>
void test_move(bool is_blocked) {
  constexpr int valid = count - 5;
  std::vector<int> values(count), wanted(count), stored(count, 9);
  std::iota(values.begin(), values.end(), 1000);
  const array<int> in(values), seen(count), back(stored);
  move<load, store><<<1, threads>>>(in, seen, back, valid);
  for (int thread = 0; thread < threads; ++thread)
    for (int i = 0; i < items; ++i) {
      const int from = is_blocked ? thread * items + i : i * threads + thread;
      wanted[thread * items + i] = from < valid ? values[from] : -1;
    }
  std::copy(values.begin(), values.begin() + valid, stored.begin());
  expected::equal("BlockLoad::Load", seen.read(), wanted);
  expected::equal("BlockStore::Store", back.read(), stored);
}

__global__ void sort(unsigned* keys, int* values, int* merged) {
  using radix_sort = cub::BlockRadixSort<unsigned, threads, items, int>;
  using merge_sort = cub::BlockMergeSort<int, threads, items>;
  __shared__ union {
    typename radix_sort::TempStorage radix;
    typename merge_sort::TempStorage merge;
  } storage;
  unsigned my_keys[items];
  int my_values[items], others[items];
  for (int i = 0; i < items; ++i) {
    my_keys[i] = keys[threadIdx.x * items + i];
    my_values[i] = values[threadIdx.x * items + i];
    others[i] = merged[threadIdx.x * items + i];
  }
  radix_sort(storage.radix).Sort(my_keys, my_values);
  __syncthreads();
  merge_sort(storage.merge).Sort(others, [](int a, int b) { return a > b; });
  for (int i = 0; i < items; ++i) {
    keys[threadIdx.x * items + i] = my_keys[i];
    values[threadIdx.x * items + i] = my_values[i];
    merged[threadIdx.x * items + i] = others[i];
  }
}

void test_sort() {
  auto keys = expected::numbers<unsigned>(count, 0, 200, 4);
  auto others = expected::numbers<int>(count, -1000, 1000, 5);
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 0);
  const array<unsigned> device_keys(keys);
  const array<int> device_values(values), device_others(others);
  sort<<<1, threads>>>(device_keys, device_values, device_others);
  std::stable_sort(values.begin(), values.end(), [&](int a, int b) { return keys[a] < keys[b]; });
  std::sort(keys.begin(), keys.end());
  std::sort(others.begin(), others.end(), std::greater<int>());
  expected::equal("BlockRadixSort's keys", device_keys.read(), keys);
  expected::equal("BlockRadixSort's values", device_values.read(), values);
  expected::equal("BlockMergeSort", device_others.read(), others);
}

template <cub::BlockHistogramAlgorithm algorithm>
__global__ void histogram(const unsigned char* in, int* bins) {
  using block = cub::BlockHistogram<unsigned char, threads, items, 16, algorithm>;
  __shared__ typename block::TempStorage storage;
  __shared__ int counts[16];
  unsigned char values[items];
  for (int i = 0; i < items; ++i) values[i] = in[threadIdx.x * items + i];
  block(storage).Histogram(values, counts);
  __syncthreads();
  if (threadIdx.x < 16) bins[threadIdx.x] = counts[threadIdx.x];
}

template <cub::BlockHistogramAlgorithm algorithm>
void test_histogram() {
  const auto values = expected::numbers<unsigned char>(count, 0, 15, 6);
  const array<unsigned char> in(values);
  const array<int> bins(16);
  histogram<algorithm><<<1, threads>>>(in, bins);
  std::vector<int> wanted(16, 0);
  for (const unsigned char value : values) ++wanted[value];
  expected::equal("BlockHistogram::Histogram", bins.read(), wanted);
}

__global__ void neighbours(const int* in, int* heads, int* differences, int* shifted,
                           int* striped) {
  using find_heads = cub::BlockDiscontinuity<int, threads>;
  using subtract = cub::BlockAdjacentDifference<int, threads>;
  using shift = cub::BlockShuffle<int, threads>;
  using transpose = cub::BlockExchange<int, threads, items>;
  __shared__ union {
    typename find_heads::TempStorage heads;
    typename subtract::TempStorage differences;
    typename shift::TempStorage shifted;
    typename transpose::TempStorage striped;
  } storage;
  int values[items], flags[items], between[items], moved[items];
  for (int i = 0; i < items; ++i) values[i] = in[threadIdx.x * items + i];
  find_heads(storage.heads).FlagHeads(flags, values, [](int a, int b) { return a != b; });
  __syncthreads();
  subtract(storage.differences).SubtractLeft(values, between, [](int a, int b) { return a - b; });
  __syncthreads();
  shift(storage.shifted).Up(values, moved);
  for (int i = 0; i < items; ++i) {
    heads[threadIdx.x * items + i] = flags[i];
    differences[threadIdx.x * items + i] = between[i];
    if (threadIdx.x + i > 0) shifted[threadIdx.x * items + i] = moved[i];
  }
  __syncthreads();
  transpose(storage.striped).BlockedToStriped(values, moved);
  for (int i = 0; i < items; ++i) striped[threadIdx.x * items + i] = moved[i];
}

void test_neighbours() {
  const auto values = expected::numbers<int>(count, 0, 2, 7);
  const array<int> in(values), heads(count), differences(count), striped(count);
  const array<int> shifted(std::vector<int>(count, -7));
  neighbours<<<1, threads>>>(in, heads, differences, shifted, striped);
  std::vector<int> flags(count), between(count), before(count), across(count);
  for (int i = 0; i < count; ++i) {
    flags[i] = i == 0 || values[i] != values[i - 1];
    between[i] = i == 0 ? values[0] : values[i] - values[i - 1];
    before[i] = i == 0 ? -7 : values[i - 1];
    across[i] = values[i % items * threads + i / items];
  }
  expected::equal("BlockDiscontinuity::FlagHeads", heads.read(), flags);
  expected::equal("BlockAdjacentDifference::SubtractLeft", differences.read(), between);
  expected::equal("BlockShuffle::Up", shifted.read(), before);
  expected::equal("BlockExchange::BlockedToStriped", striped.read(), across);
}

int main() {
  test_reduce<cub::BLOCK_REDUCE_RAKING>();
  test_reduce<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>();
  test_reduce<cub::BLOCK_REDUCE_WARP_REDUCTIONS>();
  test_scan<cub::BLOCK_SCAN_RAKING>();
  test_scan<cub::BLOCK_SCAN_RAKING_MEMOIZE>();
  test_scan<cub::BLOCK_SCAN_WARP_SCANS>();
  test_move<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT>(true);
  test_move<cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_STRIPED>(false);
  test_move<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE>(true);
  test_move<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>(true);
  test_sort();
  test_histogram<cub::BLOCK_HISTO_ATOMIC>();
  test_histogram<cub::BLOCK_HISTO_SORT>();
  test_neighbours();
  return expected::report();
}
