// reduce and scan of tiles of one warp and of coalesced groups of any size.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "expect.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace cg = cooperative_groups;

namespace {

constexpr unsigned threads = 128;

// A user-defined operator on a user-defined type: the largest value and its first position.
struct candidate {
  int value;
  unsigned place;
};
struct better {
  __host__ __device__ candidate operator()(candidate a, candidate b) const {
    if (a.value != b.value) return a.value > b.value ? a : b;
    return a.place < b.place ? a : b;
  }
};

// The same operators for the reference, because cg::less and cg::greater cannot be called on the
// host.
template <typename T, typename Op>
T combine(Op op, T a, T b) {
  return op(a, b);
}
template <typename T>
T combine(cg::less<T>, T a, T b) {
  return std::min(a, b);
}
template <typename T>
T combine(cg::greater<T>, T a, T b) {
  return std::max(a, b);
}

template <typename T>
struct results {
  T reduced, inclusive, exclusive;
};

template <typename Group, typename T, typename Op>
__device__ results<T> collect(const Group& group, T value, Op op) {
  return {cg::reduce(group, value, op), cg::inclusive_scan(group, value, op),
          cg::exclusive_scan(group, value, op)};
}

// The members of each thread's group, by the same rule as the kernel.
enum class grouping { tile_1, tile_2, tile_4, tile_8, tile_16, tile_32, predicate, label, whole };

template <grouping how, typename T, typename Op>
__global__ void collect_all(const T* values, const unsigned* labels, results<T>* out, Op op) {
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const T value = values[threadIdx.x];
  const unsigned label = labels[threadIdx.x];
  results<T>& mine = out[threadIdx.x];
  if constexpr (how == grouping::tile_1) mine = collect(cg::tiled_partition<1>(block), value, op);
  if constexpr (how == grouping::tile_2) mine = collect(cg::tiled_partition<2>(block), value, op);
  if constexpr (how == grouping::tile_4) mine = collect(cg::tiled_partition<4>(block), value, op);
  if constexpr (how == grouping::tile_8) mine = collect(cg::tiled_partition<8>(warp), value, op);
  if constexpr (how == grouping::tile_16) {
    const cg::thread_block_tile<16> orphan = cg::tiled_partition<16>(block);
    mine = collect(orphan, value, op);
  }
  if constexpr (how == grouping::tile_32) mine = collect(warp, value, op);
  if constexpr (how == grouping::predicate) {
    mine = collect(cg::binary_partition(warp, label & 1), value, op);
  }
  if constexpr (how == grouping::label)
    mine = collect(cg::labeled_partition(warp, label), value, op);
  if constexpr (how == grouping::whole) mine = collect(cg::labeled_partition(warp, 1), value, op);
}

template <grouping how>
bool are_together(unsigned a, unsigned b, const std::vector<unsigned>& labels) {
  if (a / 32 != b / 32) return false;
  switch (how) {
    case grouping::predicate:
      return (labels[a] & 1) == (labels[b] & 1);
    case grouping::label:
      return labels[a] == labels[b];
    case grouping::tile_32:
    case grouping::whole:
      return true;
    default: {
      const unsigned size = 1u << static_cast<unsigned>(how);
      return a / size == b / size;
    }
  }
}

template <grouping how, typename T, typename Op>
void test(const std::string& name, const std::vector<T>& values,
          const std::vector<unsigned>& labels, Op op) {
  device_array<T> values_on_device(values);
  device_array<unsigned> labels_on_device(labels);
  device_array<results<T>> out(threads, results<T>{});
  collect_all<how><<<1, threads>>>(values_on_device.get(), labels_on_device.get(), out.get(), op);
  finish_kernels(name.c_str());
  const std::vector<results<T>> got = out.read();
  std::vector<T> reduced(threads), inclusive(threads), exclusive(threads);
  for (unsigned i = 0; i < threads; ++i) {
    bool is_first = true;
    T total{}, up_to_here{}, before{};
    for (unsigned j = 0; j < threads; ++j) {
      if (!are_together<how>(i, j, labels)) continue;
      if (j == i) before = is_first ? T{} : total;
      total = is_first ? values[j] : combine(op, total, values[j]);
      is_first = false;
      if (j == i) up_to_here = total;
    }
    reduced[i] = total;
    inclusive[i] = up_to_here;
    exclusive[i] = before;
  }
  std::vector<T> got_reduced, got_inclusive, got_exclusive;
  for (const results<T>& one : got) {
    got_reduced.push_back(one.reduced);
    got_inclusive.push_back(one.inclusive);
    got_exclusive.push_back(one.exclusive);
  }
  expect_equal(name + ", reduce", got_reduced, reduced);
  expect_equal(name + ", inclusive_scan", got_inclusive, inclusive);
  expect_equal(name + ", exclusive_scan", got_exclusive, exclusive);
}

template <typename T, typename Op>
void test_groups(const std::string& name, const std::vector<T>& values,
                 const std::vector<unsigned>& labels, Op op) {
  test<grouping::tile_1>(name + " in tiles of 1", values, labels, op);
  test<grouping::tile_2>(name + " in tiles of 2", values, labels, op);
  test<grouping::tile_4>(name + " in tiles of 4", values, labels, op);
  test<grouping::tile_8>(name + " in tiles of 8", values, labels, op);
  test<grouping::tile_16>(name + " in tiles of 16", values, labels, op);
  test<grouping::tile_32>(name + " in tiles of 32", values, labels, op);
  test<grouping::predicate>(name + " in halves by predicate", values, labels, op);
  test<grouping::label>(name + " in labelled groups", values, labels, op);
  test<grouping::whole>(name + " in coalesced groups of 32", values, labels, op);
}

// Small numbers, so that a sum is exact in any order.
template <typename T>
std::vector<T> small_numbers(std::mt19937_64& random) {
  std::vector<T> values(threads);
  for (T& value : values) value = static_cast<T>(random() % 100);
  return values;
}
template <typename T>
std::vector<T> any_numbers(std::mt19937_64& random) {
  std::vector<T> values(threads);
  for (T& value : values) value = static_cast<T>(random());
  return values;
}

__device__ cuda::atomic<int, cuda::thread_scope_device> tally;
__device__ cuda::atomic<float, cuda::thread_scope_device> peak;

__global__ void update(int* store, int* plain, int* inclusive, int* exclusive) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int value = static_cast<int>(threadIdx.x % 16) + 1;
  cg::reduce_update_async(tile, tally, value, cg::plus<int>());
  cg::reduce_update_async(tile, peak, static_cast<float>(threadIdx.x), cg::greater<float>());
  cuda::atomic_ref<int, cuda::thread_scope_device> place(store[tile.meta_group_rank()]);
  cg::reduce_store_async(tile, place, value, cg::greater<int>());
  cg::reduce_store_async(tile, &plain[tile.meta_group_rank()], value, cg::bit_or<int>());
  if (tile.meta_group_rank() == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_device> in(inclusive[16]), ex(exclusive[16]);
    inclusive[tile.thread_rank()] = cg::inclusive_scan_update(tile, in, value, cg::plus<int>());
    exclusive[tile.thread_rank()] = cg::exclusive_scan_update(tile, ex, value);
  }
}

__global__ void read_updated(int* out, float* real) {
  *out = tally.load();
  *real = peak.load();
}

void test_updates() {
  device_array<int> store(threads / 16, 0), plain(threads / 16, 0), inclusive(17, 1000),
      exclusive(17, 1000), sum(1, 0);
  device_array<float> largest(1, 0.0f);
  update<<<1, threads>>>(store.get(), plain.get(), inclusive.get(), exclusive.get());
  finish_kernels("update");
  read_updated<<<1, 1>>>(sum.get(), largest.get());
  finish_kernels("read_updated");
  expect_value("reduce_update_async adds to an atomic", sum.read()[0], int(threads / 16 * 136));
  expect_value("reduce_update_async keeps the largest float", largest.read()[0], threads - 1.0f);
  expect_equal("reduce_store_async stores to an atomic_ref", store.read(),
               std::vector<int>(threads / 16, 16));
  expect_equal("reduce_store_async stores through a pointer", plain.read(),
               std::vector<int>(threads / 16, 31));
  std::vector<int> want_inclusive, want_exclusive;
  for (int rank = 0, sum_so_far = 1000; rank < 16; ++rank) {
    want_exclusive.push_back(sum_so_far);
    want_inclusive.push_back(sum_so_far += rank + 1);
  }
  want_inclusive.push_back(1136);
  want_exclusive.push_back(1136);
  expect_equal("inclusive_scan_update goes on from the atomic", inclusive.read(), want_inclusive);
  expect_equal("exclusive_scan_update goes on from the atomic", exclusive.read(), want_exclusive);
}

__device__ int larger(int left, int right) { return left < right ? right : left; }

__global__ void combine_by_function(const int* values, int* reduced, int* scanned) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  reduced[threadIdx.x] = cg::reduce(tile, values[threadIdx.x], larger);
  scanned[threadIdx.x] = cg::inclusive_scan(tile, values[threadIdx.x], larger);
}

void test_functions(const std::vector<int>& values) {
  device_array<int> in(values), reduced(threads, -1), scanned(threads, -1);
  combine_by_function<<<1, threads>>>(in.get(), reduced.get(), scanned.get());
  finish_kernels("combine_by_function");
  std::vector<int> want_reduced, want_scanned;
  for (unsigned i = 0; i < threads; ++i) {
    const auto tile = values.begin() + i / 32 * 32;
    want_reduced.push_back(*std::max_element(tile, tile + 32));
    want_scanned.push_back(*std::max_element(tile, values.begin() + i + 1));
  }
  expect_equal("reduce takes a function as its operator", reduced.read(), want_reduced);
  expect_equal("inclusive_scan takes a function as its operator", scanned.read(), want_scanned);
}

__global__ void invoke(int* calls, int* results) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  const auto half = cg::binary_partition(tile, tile.thread_rank() >= 3);
  cg::invoke_one(block, [=] { atomicAdd(&calls[0], 1); });
  cg::invoke_one(
      half, [=](int by) { atomicAdd(&calls[1], by); }, 2);
  results[threadIdx.x] = cg::invoke_one_broadcast(
      half, [=] { return static_cast<int>(threadIdx.x) / 8 * 10 + static_cast<int>(half.size()); });
}

void test_invoke() {
  device_array<int> calls(2, 0), results(threads, -1);
  invoke<<<1, threads>>>(calls.get(), results.get());
  finish_kernels("invoke");
  expect_equal("invoke_one calls once for each group", calls.read(),
               std::vector<int>{1, int(threads / 8 * 2 * 2)});
  std::vector<int> want;
  for (int i = 0; i < int(threads); ++i) want.push_back(i / 8 * 10 + (i % 8 >= 3 ? 5 : 3));
  expect_equal("invoke_one_broadcast tells all members", results.read(), want);
}

}  // namespace

int main() {
  std::mt19937_64 random = random_numbers();
  std::vector<unsigned> labels(threads);
  for (unsigned& label : labels) label = random() % 5;
  test_groups("sum of int", any_numbers<unsigned>(random), labels, cg::plus<unsigned>());
  test_groups("sum of bytes", any_numbers<unsigned char>(random), labels,
              cg::plus<unsigned char>());
  test_groups("sum of short", small_numbers<short>(random), labels, cg::plus<short>());
  test_groups("sum of 64 bits", any_numbers<unsigned long long>(random), labels,
              cg::plus<unsigned long long>());
  test_groups("sum of float", small_numbers<float>(random), labels, cg::plus<float>());
  test_groups("sum of double", small_numbers<double>(random), labels, cg::plus<double>());
  test_groups("smallest int", any_numbers<int>(random), labels, cg::less<int>());
  test_groups("largest int", any_numbers<int>(random), labels, cg::greater<int>());
  test_groups("smallest unsigned", any_numbers<unsigned>(random), labels, cg::less<unsigned>());
  test_groups("largest signed byte", any_numbers<signed char>(random), labels,
              cg::greater<signed char>());
  test_groups("largest long long", any_numbers<long long>(random), labels,
              cg::greater<long long>());
  test_groups("and of int", any_numbers<int>(random), labels, cg::bit_and<int>());
  test_groups("or of unsigned", any_numbers<unsigned>(random), labels, cg::bit_or<unsigned>());
  test_groups("xor of 64 bits", any_numbers<long long>(random), labels, cg::bit_xor<long long>());
  std::vector<candidate> candidates(threads);
  for (unsigned i = 0; i < threads; ++i) candidates[i] = {static_cast<int>(random() % 10), i};
  test_groups("best candidate", candidates, labels, better());
  test_functions(any_numbers<int>(random));
  test_updates();
  test_invoke();
  return report();
}
