// Tiles of several warps: synchronisation, exchange, votes, reduce and scan.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "expect.hpp"

namespace cg = cooperative_groups;

namespace {

constexpr unsigned threads = 1024;

struct answers {
  unsigned rank, size, meta_rank, meta_size, orphan_rank, orphan_size;
  int from_third, any, all, sum, largest, inclusive, exclusive, neighbour;
  unsigned half_rank;
  float real_sum;
  long long wide;
};

template <unsigned size>
__global__ void ask(const int* values, answers* out) {
  __shared__ cg::block_tile_memory<threads> memory;
  __shared__ int shared[threads];
  const cg::thread_block block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<size>(block);
  const cg::thread_block_tile<size> orphan = tile;
  const int value = values[block.thread_rank()];
  answers mine{};
  mine.rank = tile.thread_rank();
  mine.size = tile.size();
  mine.meta_rank = tile.meta_group_rank();
  mine.meta_size = tile.meta_group_size();
  mine.orphan_rank = orphan.meta_group_rank();
  mine.orphan_size = orphan.meta_group_size();
  mine.from_third = tile.shfl(value, 3);
  mine.any = tile.any(value == 7) != 0;
  mine.all = tile.all(value < 90) != 0;
  mine.sum = cg::reduce(tile, value, cg::plus<int>());
  mine.largest = cg::reduce(orphan, value, cg::greater<int>());
  mine.inclusive = cg::inclusive_scan(tile, value);
  mine.exclusive = cg::exclusive_scan(tile, value, cg::plus<int>());
  mine.real_sum = cg::reduce(tile, static_cast<float>(value), cg::plus<float>());
  mine.wide = cg::reduce(tile, static_cast<long long>(value) << 33, cg::plus<long long>());

  // After the tile has synchronised, each warp reads what another one wrote.
  shared[block.thread_rank()] = value;
  tile.sync();
  const unsigned first = block.thread_rank() - tile.thread_rank();
  mine.neighbour = shared[first + (tile.thread_rank() + 40) % size];
  tile.sync();
  const auto half = cg::tiled_partition<size / 2>(tile);
  half.sync();
  mine.half_rank = half.meta_group_rank() * 1000 + half.thread_rank();
  out[block.thread_rank()] = mine;
}

template <unsigned size>
void test_size(std::mt19937_64& random) {
  std::vector<int> values(threads);
  for (int& value : values) value = static_cast<int>(random() % 91);
  device_array<int> values_on_device(values);
  device_array<answers> out(threads, answers{});
  ask<size><<<1, threads>>>(values_on_device.get(), out.get());
  finish_kernels("ask");
  std::vector<answers> want;
  for (unsigned i = 0; i < threads; ++i) {
    const unsigned first = i / size * size, rank = i % size;
    answers one{};
    one.rank = rank;
    one.size = size;
    one.meta_rank = one.orphan_rank = i / size;
    one.meta_size = one.orphan_size = threads / size;
    one.from_third = values[first + 3];
    one.all = 1;
    one.largest = -1;
    for (unsigned r = 0; r < size; ++r) {
      const int value = values[first + r];
      one.any |= value == 7;
      one.all &= value < 90;
      one.sum += value;
      one.largest = value > one.largest ? value : one.largest;
      if (r <= rank) one.inclusive += value;
      if (r < rank) one.exclusive += value;
    }
    one.real_sum = static_cast<float>(one.sum);
    one.wide = static_cast<long long>(one.sum) << 33;
    one.neighbour = values[first + (rank + 40) % size];
    one.half_rank = rank / (size / 2) * 1000 + rank % (size / 2);
    want.push_back(one);
  }
  // Compares field by field, so a failure names the operation.
  const std::vector<answers> got = out.read();
  const std::string name = "tile of " + std::to_string(size) + " ";
  const auto compare = [&](const char* what, auto field) {
    using T = std::decay_t<decltype(got[0].*field)>;
    std::vector<T> a, b;
    for (unsigned i = 0; i < threads; ++i) {
      a.push_back(got[i].*field);
      b.push_back(want[i].*field);
    }
    expect_equal(name + what, a, b);
  };
  compare("rank", &answers::rank);
  compare("size", &answers::size);
  compare("meta rank", &answers::meta_rank);
  compare("meta size", &answers::meta_size);
  compare("meta rank without its parent", &answers::orphan_rank);
  compare("meta size without its parent", &answers::orphan_size);
  compare("shfl", &answers::from_third);
  compare("any", &answers::any);
  compare("all", &answers::all);
  compare("reduce, plus", &answers::sum);
  compare("reduce, greater", &answers::largest);
  compare("reduce of float", &answers::real_sum);
  compare("reduce of 64 bits", &answers::wide);
  compare("inclusive_scan", &answers::inclusive);
  compare("exclusive_scan", &answers::exclusive);
  compare("sync orders shared memory", &answers::neighbour);
  compare("halves", &answers::half_rank);
}

// The tiles of a block diverge: each synchronises as often as its rank says.
__global__ void meet_independently(int* out) {
  __shared__ int progress[8];
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  const unsigned mine = tile.meta_group_rank();
  if (tile.thread_rank() == 0) progress[mine] = 0;
  tile.sync();
  int met = 0;
  for (unsigned round = 0; round <= mine * 3; ++round) {
    if (tile.thread_rank() == round) progress[mine] += 1;
    tile.sync();
    met = progress[mine];
    if (met != static_cast<int>(round) + 1) break;
    tile.sync();
  }
  out[threadIdx.x] = met;
}

}  // namespace

int main() {
  std::mt19937_64 random = random_numbers();
  test_size<64>(random);
  test_size<128>(random);
  test_size<256>(random);
  test_size<512>(random);

  device_array<int> met(512, 0);
  meet_independently<<<1, 512>>>(met.get());
  finish_kernels("meet_independently");
  std::vector<int> want;
  for (int i = 0; i < 512; ++i) want.push_back(i / 64 * 3 + 1);
  expect_equal("tiles of one block meet independently", met.read(), want);
  return report();
}
