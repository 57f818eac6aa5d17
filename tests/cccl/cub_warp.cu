// cub::Warp*: reductions, scans, exchanges and sorts of one warp.
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cub/warp/warp_store.cuh>

#include <algorithm>
#include <numeric>

#include "expect.hpp"

using expected::array;

constexpr int warps = 3, lanes = 32;

template <int width>
__global__ void reduce(const int* in, int* sums, int* greatest, int* segment_sums) {
  using warp = cub::WarpReduce<int, width>;
  __shared__ typename warp::TempStorage storage[warps * lanes / width];
  const int group = threadIdx.x / width;
  const int value = in[threadIdx.x];
  const int sum = warp(storage[group]).Sum(value);
  __syncwarp();
  const int most = warp(storage[group]).Reduce(value, [](int a, int b) { return a > b ? a : b; });
  __syncwarp();
  const int segment = warp(storage[group]).HeadSegmentedSum(value, threadIdx.x % 5 == 0);
  if (threadIdx.x % width == 0) {
    sums[group] = sum;
    greatest[group] = most;
  }
  if (threadIdx.x % 5 == 0 || threadIdx.x % width == 0) segment_sums[threadIdx.x] = segment;
}

template <int width>
void test_reduce() {
  const auto values = expected::numbers<int>(warps * lanes, -50, 50);
  const array<int> in(values), sums(warps * lanes / width), greatest(warps * lanes / width);
  const array<int> segments(std::vector<int>(warps * lanes, 0));
  reduce<width><<<1, warps * lanes>>>(in, sums, greatest, segments);
  std::vector<int> all, most, parts(warps * lanes, 0);
  for (int first = 0; first < warps * lanes; first += width) {
    all.push_back(std::accumulate(&values[first], &values[first] + width, 0));
    most.push_back(*std::max_element(&values[first], &values[first] + width));
    for (int i = first, head = first; i < first + width; ++i) {
      if (i % 5 == 0) head = i;
      parts[head] += values[i];
    }
  }
  expected::equal("WarpReduce::Sum", sums.read(), all);
  expected::equal("WarpReduce::Reduce", greatest.read(), most);
  expected::equal("WarpReduce::HeadSegmentedSum", segments.read(), parts);
}

template <int width>
__global__ void scan(const int* in, int* inclusive, int* exclusive, int* greatest) {
  using warp = cub::WarpScan<int, width>;
  __shared__ typename warp::TempStorage storage[warps * lanes / width];
  const int group = threadIdx.x / width, i = threadIdx.x;
  warp(storage[group]).InclusiveSum(in[i], inclusive[i]);
  __syncwarp();
  warp(storage[group]).ExclusiveSum(in[i], exclusive[i]);
  __syncwarp();
  warp(storage[group]).InclusiveScan(in[i], greatest[i], [](int a, int b) {
    return a > b ? a : b;
  });
}

template <int width>
void test_scan() {
  const auto values = expected::numbers<int>(warps * lanes, -50, 50, 2);
  const array<int> in(values), inclusive(warps * lanes), exclusive(warps * lanes),
      greatest(warps * lanes);
  scan<width><<<1, warps * lanes>>>(in, inclusive, exclusive, greatest);
  std::vector<int> with, without, most;
  for (int i = 0, sum = 0, so_far = 0; i < warps * lanes; ++i) {
    const bool is_first = i % width == 0;
    sum = is_first ? 0 : sum;
    so_far = is_first ? values[i] : std::max(so_far, values[i]);
    without.push_back(sum);
    sum += values[i];
    with.push_back(sum);
    most.push_back(so_far);
  }
  expected::equal("WarpScan::InclusiveSum", inclusive.read(), with);
  expected::equal("WarpScan::ExclusiveSum", exclusive.read(), without);
  expected::equal("WarpScan::InclusiveScan", greatest.read(), most);
}

__global__ void load_exchange_store(const int* in, int* striped, int* back) {
  constexpr int items = 4;
  using loader = cub::WarpLoad<int, items, cub::WARP_LOAD_TRANSPOSE>;
  using transpose = cub::WarpExchange<int, items>;
  using storer = cub::WarpStore<int, items, cub::WARP_STORE_TRANSPOSE>;
  __shared__ union {
    typename loader::TempStorage load;
    typename transpose::TempStorage exchange;
    typename storer::TempStorage store;
  } storage[warps];
  const int warp = threadIdx.x / lanes, lane = threadIdx.x % lanes;
  int values[items];
  loader(storage[warp].load).Load(in + warp * lanes * items, values);
  __syncwarp();
  int moved[items];
  transpose(storage[warp].exchange).BlockedToStriped(values, moved);
  for (int i = 0; i < items; ++i) striped[(warp * lanes + lane) * items + i] = moved[i];
  __syncwarp();
  storer(storage[warp].store).Store(back + warp * lanes * items, values);
}

void test_exchange() {
  constexpr int items = 4;
  std::vector<int> values(warps * lanes * items);
  std::iota(values.begin(), values.end(), 0);
  const array<int> in(values), striped(values.size()), back(values.size());
  load_exchange_store<<<1, warps * lanes>>>(in, striped, back);
  std::vector<int> wanted;
  for (int warp = 0; warp < warps; ++warp)
    for (int lane = 0; lane < lanes; ++lane)
      for (int i = 0; i < items; ++i) wanted.push_back(warp * lanes * items + i * lanes + lane);
  expected::equal("WarpExchange::BlockedToStriped", striped.read(), wanted);
  expected::equal("WarpStore::Store", back.read(), values);
}

struct less {
  __device__ bool operator()(int a, int b) const { return a < b; }
};

__global__ void sort(int* values) {
  constexpr int items = 3;
  using sorter = cub::WarpMergeSort<int, items, lanes>;
  __shared__ typename sorter::TempStorage storage[warps];
  int mine[items];
  for (int i = 0; i < items; ++i) mine[i] = values[threadIdx.x * items + i];
  sorter(storage[threadIdx.x / lanes]).Sort(mine, less());
  for (int i = 0; i < items; ++i) values[threadIdx.x * items + i] = mine[i];
}

void test_sort() {
  auto values = expected::numbers<int>(warps * lanes * 3, -1000, 1000, 3);
  const array<int> in(values);
  sort<<<1, warps * lanes>>>(in);
  for (int warp = 0; warp < warps; ++warp)
    std::sort(values.begin() + warp * lanes * 3, values.begin() + (warp + 1) * lanes * 3);
  expected::equal("WarpMergeSort::Sort", in.read(), values);
}

int main() {
  test_reduce<32>();
  test_reduce<8>();
  test_scan<32>();
  test_scan<16>();
  test_exchange();
  test_sort();
  return expected::report();
}
