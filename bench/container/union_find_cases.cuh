// Unites random pairs of elements, against the textbook version without path halving.
#pragma once
#include <heddle/container/union_find.cuh>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "container/container_contest.cuh"
#include "support/feed.cuh"

namespace heddle_bench {

// The same without path halving.
class plain_union_find_view {
 public:
  using element = std::uint32_t;
  explicit plain_union_find_view(element* parents) : parents_(parents) {}

  __device__ element ancestor(element one) const {
    for (;;) {
      const element parent = heddle::sync::load(parents_ + one);
      if (parent == one) return one;
      one = parent;
    }
  }
  __device__ bool unite(element one, element other) const {
    for (;;) {
      one = ancestor(one);
      other = ancestor(other);
      if (one == other) return false;
      const element larger = max(one, other), smaller = min(one, other);
      if (heddle::sync::compare_exchange(parents_ + larger, larger, smaller) == larger) return true;
    }
  }

 private:
  element* parents_;
};

struct element_pair {
  std::uint32_t one, other;
};
// The `index`-th pair of elements below `count`, a power of two.
__host__ __device__ inline element_pair random_pair(std::uint32_t index, std::uint32_t count) {
  return {thread_bits(static_cast<int>(2 * index)) & (count - 1),
          thread_bits(static_cast<int>(2 * index + 1)) & (count - 1)};
}

static __global__ void number_elements(std::uint32_t* parents, std::uint32_t count) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) parents[i] = i;
}
template <typename View>
__global__ void unite_pairs(View sets, std::uint32_t pairs, std::uint32_t count) {
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs;
       i += gridDim.x * blockDim.x) {
    const element_pair both = random_pair(i, count);
    sets.unite(both.one, both.other);
  }
}
template <typename View>
__global__ void write_roots_of(View sets, std::uint32_t* roots, std::uint32_t count) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) roots[i] = sets.ancestor(i);
}

// The smallest element of each set, computed on the host.
inline std::vector<std::uint32_t> roots_by_host(std::uint32_t pairs, std::uint32_t count) {
  std::vector<std::uint32_t> parents(count);
  std::iota(parents.begin(), parents.end(), 0u);
  const auto find = [&](std::uint32_t one) {
    while (parents[one] != one) one = parents[one] = parents[parents[one]];
    return one;
  };
  for (std::uint32_t i = 0; i < pairs; ++i) {
    const element_pair both = random_pair(i, count);
    const std::uint32_t one = find(both.one), other = find(both.other);
    parents[std::max(one, other)] = std::min(one, other);
  }
  for (std::uint32_t i = 0; i < count; ++i) parents[i] = find(i);
  return parents;
}

template <typename View>
finding measure_union_find(container_contest& contest, std::uint32_t pairs, std::uint32_t count,
                           const std::vector<std::uint32_t>& expected) {
  const device_array<std::uint32_t> parents(count), roots(count);
  const int blocks_for_all = static_cast<int>((count + threads_of_block - 1) / threads_of_block);
  const launch_shape shape = contest.shape_of(contention::full, unite_pairs<View>);
  std::vector<double> took;
  for (int run = 0; run < 6; ++run) {
    number_elements<<<blocks_for_all, threads_of_block>>>(parents.data(), count);
    contest.watch().start();
    unite_pairs<<<shape.blocks, shape.threads>>>(View(parents.data()), pairs, count);
    check(cudaGetLastError());
    const double nanoseconds = contest.watch().nanoseconds();
    if (run > 0) took.push_back(nanoseconds);
  }
  roots.poison();
  write_roots_of<<<blocks_for_all, threads_of_block>>>(View(parents.data()), roots.data(), count);
  check(cudaGetLastError());
  return {pairs / median(took) * 1e3, roots.values(count) == expected};
}

inline void union_find_cases(container_contest& contest) {
  constexpr std::uint32_t count = 1u << 22;
  // Small sets, the point where one large set emerges, and one large set.
  for (const std::uint32_t pairs : {count / 4, count / 2, 4 * count}) {
    const std::string name = "union_find, 2^22 elements, " + std::to_string(pairs) + " pairs";
    if (!contest.rows().wants(name)) continue;
    const auto expected = roots_by_host(pairs, count);
    const finding ours =
        measure_union_find<heddle::container::union_find_view>(contest, pairs, count, expected);
    const finding plain =
        measure_union_find<plain_union_find_view>(contest, pairs, count, expected);
    contest.rows().speed(name, "without path halving", ours.speed, plain.speed, 0, 0,
                         wrong_side(ours, plain));
  }
}

}  // namespace heddle_bench
