// The tour's containers: called by single lanes, and by all lanes of a warp together.
// `containers LANES [times]`
#include <heddle/container/hash_map.cuh>
#include <heddle/container/queue.cuh>
#include <heddle/container/stack.cuh>
#include <heddle/container/union_find.cuh>

#include <exception>
#include <numeric>

#include "figures.cuh"

namespace {

using heddle::all_lanes;
namespace container = heddle::container;

constexpr int threads = 256;

// Each lane pushes its number and pops one. No number may be lost or duplicated.
template <typename View>
__device__ unsigned pass_alone(const View& things, unsigned mine) {
  unsigned got = ~0u;
  if (things.try_push(mine))
    while (!things.try_pop(got)) {
    }
  return got;
}
template <typename View>
__device__ unsigned pass_together(const View& things, unsigned mine) {
  unsigned got = ~0u;
  bool wants = things.try_push(mine, true, all_lanes);
  while (__any_sync(all_lanes, wants))
    if (things.try_pop(got, wants, all_lanes)) wants = false;
  return got;
}

__device__ unsigned number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void queue_alone(container::queue_view<unsigned> things, unsigned* got) {
  got[number()] = pass_alone(things, number());
}
__global__ void queue_together(container::queue_view<unsigned> things, unsigned* got) {
  got[number()] = pass_together(things, number());
}
__global__ void stack_alone(container::stack_view<unsigned> things, unsigned* got) {
  got[number()] = pass_alone(things, number());
}
__global__ void stack_together(container::stack_view<unsigned> things, unsigned* got) {
  got[number()] = pass_together(things, number());
}
// Eight lanes share a key, and all of them insert the same value for it.
__global__ void map_alone(container::hash_map_view<unsigned, unsigned> words, unsigned* got) {
  const unsigned key = number() / 8;
  if (words.insert(key, 3 * key) == container::insertion::full || !words.find(key, got[number()]))
    got[number()] = ~0u;
}
__global__ void map_together(container::hash_map_view<unsigned, unsigned> words, unsigned* got) {
  const unsigned key = number() / 8;
  if (words.insert(key, 3 * key, true, all_lanes) == container::insertion::full ||
      !words.find(key, got[number()]))
    got[number()] = ~0u;
}
// Rings of 64 elements: each lane unites its element with the next one.
__global__ void sets_united(container::union_find_view sets) {
  const unsigned mine = number();
  sets.unite(mine, mine / 64 * 64 + (mine + 1) % 64);
}

}  // namespace

int main(int count, char** arguments) try {
  const tour::options options = tour::read_options(count, arguments, 1 << 20);
  const int blocks = (options.size + threads - 1) / threads;
  const unsigned lanes = static_cast<unsigned>(blocks) * threads;
  const tour::device_array<unsigned> got(lanes);
  container::queue<unsigned> queue(lanes);
  container::stack<unsigned> stack(lanes);
  container::hash_map<unsigned, unsigned> map(lanes / 4);
  container::union_find sets(lanes);

  bool all_right = true;
  std::vector<unsigned> expected(lanes);
  const auto nothing = [] {};
  const auto run = [&](const char* variant, bool comes_in_any_order,
                       const std::function<void()>& before, const std::function<void()>& launch,
                       const std::function<void()>& write_results) {
    heddle::check(cudaMemset(got.data(), 0xff, lanes * sizeof(unsigned)));
    before();
    launch();
    write_results();
    heddle::check(cudaDeviceSynchronize());
    std::vector<unsigned> values = got.values();
    if (comes_in_any_order) std::sort(values.begin(), values.end());
    all_right &= tour::print_if_wrong(variant, values == expected);
    if (!options.times) return;
    const double took = tour::microseconds(launch, before);
    tour::print_figure(variant, "time", "us", took);
    tour::print_figure(variant, "rate", "million lanes/s", lanes / took);
  };

  std::iota(expected.begin(), expected.end(), 0u);
  run(
      "queue, alone", true, nothing,
      [&] { queue_alone<<<blocks, threads>>>(queue.view(), got.data()); }, nothing);
  run(
      "queue, together", true, nothing,
      [&] { queue_together<<<blocks, threads>>>(queue.view(), got.data()); }, nothing);
  run(
      "stack, alone", true, nothing,
      [&] { stack_alone<<<blocks, threads>>>(stack.view(), got.data()); }, nothing);
  run(
      "stack, together", true, nothing,
      [&] { stack_together<<<blocks, threads>>>(stack.view(), got.data()); }, nothing);
  for (unsigned i = 0; i < lanes; ++i) expected[i] = i / 8 * 3;
  const auto forget = [&] { map.clear(); };
  run(
      "hash map, alone", false, forget,
      [&] { map_alone<<<blocks, threads>>>(map.view(), got.data()); }, nothing);
  run(
      "hash map, together", false, forget,
      [&] { map_together<<<blocks, threads>>>(map.view(), got.data()); }, nothing);
  for (unsigned i = 0; i < lanes; ++i) expected[i] = i / 64 * 64;
  run(
      "union-find", false, [&] { sets.clear(); },
      [&] { sets_united<<<blocks, threads>>>(sets.view()); }, [&] { sets.roots(got.data()); });
  return all_right ? 0 : 1;
} catch (const std::exception& failure) {
  std::fprintf(stderr, "%s\n", failure.what());
  return 2;
}
