// Tiles of 1 to 32 threads: ranks, shuffles of all kinds of types, votes, matches, and nested
// tiles.
#include <cooperative_groups.h>

#include "expect.hpp"

#include <algorithm>

namespace cg = cooperative_groups;

namespace {

constexpr int threads = 96;

struct ranks {
  unsigned rank, size, meta_rank, meta_size, group_rank, group_size;
};

template <unsigned size>
__global__ void record_ranks(ranks* out, int* grandchild) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<size>(block);
  const cg::thread_block_tile<size> orphan = tile;
  const cg::thread_group group = orphan;
  ranks mine;
  mine.rank = tile.thread_rank();
  mine.size = tile.num_threads();
  mine.meta_rank = tile.meta_group_rank();
  mine.meta_size = orphan.meta_group_size();
  mine.group_rank = static_cast<unsigned>(group.thread_rank());
  mine.group_size = static_cast<unsigned>(group.size());
  out[block.thread_rank()] = mine;
  if constexpr (size >= 2) {
    const auto half = cg::tiled_partition<size / 2>(tile);
    grandchild[block.thread_rank()] =
        half.meta_group_rank() * 10000 + half.meta_group_size() * 100 + half.thread_rank();
  }
  tile.sync();
  group.sync();
}

template <unsigned size>
void test_ranks(dim3 shape) {
  const std::string name = "tile of " + std::to_string(size);
  device_array<ranks> out(threads, ranks{});
  device_array<int> grandchild(threads, -1);
  record_ranks<size><<<1, shape>>>(out.get(), grandchild.get());
  finish_kernels(name.c_str());
  std::vector<ranks> want;
  std::vector<int> want_grandchild;
  for (unsigned i = 0; i < threads; ++i) {
    want.push_back({i % size, size, i / size, threads / size, i % size, size});
    const unsigned half = size < 2 ? 1 : size / 2;
    const auto place = static_cast<int>((i % size / half) * 10000 + 200 + i % half);
    want_grandchild.push_back(size < 2 ? -1 : place);
  }
  expect_equal(name + " knows its ranks", out.read(), want);
  expect_equal(name + " can be halved", grandchild.read(), want_grandchild);
}

template <std::size_t bytes>
struct blob {
  unsigned char byte[bytes];
};

template <typename T>
__host__ __device__ T value_of(unsigned thread) {
  T value;
  unsigned char* byte = reinterpret_cast<unsigned char*>(&value);
  for (unsigned i = 0; i < sizeof(T); ++i) {
    byte[i] = static_cast<unsigned char>(thread * 7 + i * 31 + 1) & 0x3f;
  }
  return value;
}

template <unsigned size, typename T>
__global__ void shuffle(T* out, int source, unsigned distance) {
  const auto tile = cg::tiled_partition<size>(cg::this_thread_block());
  const T value = value_of<T>(threadIdx.x);
  T* mine = out + threadIdx.x * 4;
  mine[0] = tile.shfl(value, source + static_cast<int>(tile.meta_group_rank()));
  mine[1] = tile.shfl_up(value, distance);
  mine[2] = tile.shfl_down(value, distance);
  mine[3] = tile.shfl_xor(value, distance % size);
}

template <unsigned size, typename T>
void test_shuffle(const std::string& type) {
  std::size_t wrong = 0;
  for (const int source : {0, 1, 5, 31, 40}) {
    for (const unsigned distance : {0u, 1u, 3u, size / 2, size - 1}) {
      device_array<T> out(threads * 4, value_of<T>(0));
      shuffle<size, T><<<1, threads>>>(out.get(), source, distance);
      finish_kernels("shuffle");
      const std::vector<T> got = out.read();
      for (unsigned i = 0; i < threads; ++i) {
        const unsigned first = i / size * size, rank = i % size;
        const unsigned from[4] = {
            first + (source + i / size) % size, rank >= distance ? i - distance : i,
            rank + distance < size ? i + distance : i, first + (rank ^ distance % size)};
        for (unsigned mode = 0; mode < 4; ++mode) {
          const T want = value_of<T>(from[mode]);
          wrong += std::memcmp(&got[i * 4 + mode], &want, sizeof(T)) != 0;
        }
      }
    }
  }
  expect("tile of " + std::to_string(size) + " shuffles " + type, wrong == 0,
         wrong == 0 ? "" : std::to_string(wrong) + " values are wrong");
}

template <unsigned size>
__global__ void vote(const int* input, unsigned* out) {
  const auto tile = cg::tiled_partition<size>(cg::this_thread_block());
  const int value = input[threadIdx.x];
  int all_match = -1;
  unsigned* mine = out + threadIdx.x * 6;
  mine[0] = tile.any(value > 2);
  mine[1] = tile.all(value < 3);
  mine[2] = tile.ballot(value & 1);
  mine[3] = tile.match_any(value);
  mine[4] = tile.match_all(value / 4, all_match);
  mine[5] = all_match;
}

template <unsigned size>
void test_votes(std::mt19937_64& random) {
  std::vector<int> input(threads);
  for (int& value : input) value = static_cast<int>(random() % 4);
  for (unsigned i = 0; i < 32; ++i) input[i] = 3;
  device_array<int> on_device(input);
  device_array<unsigned> out(threads * 6, 99u);
  vote<size><<<1, threads>>>(on_device.get(), out.get());
  finish_kernels("vote");
  std::vector<unsigned> want;
  for (unsigned i = 0; i < threads; ++i) {
    unsigned any = 0, all = 1, odd = 0, same = 0;
    const unsigned first = i / size * size;
    for (unsigned rank = 0; rank < size; ++rank) {
      const int value = input[first + rank];
      any |= value > 2;
      all &= value < 3;
      odd |= static_cast<unsigned>(value & 1) << rank;
      same |= static_cast<unsigned>(value == input[i]) << rank;
    }
    const unsigned everyone = 0xffffffffu >> (32 - size);
    want.insert(want.end(), {any, all, odd, same, everyone, 1u});
  }
  expect_equal("tile of " + std::to_string(size) + " votes and matches", out.read(), want);
}

__global__ void tile_at_run_time(unsigned size, unsigned* out) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_group tile = cg::tiled_partition(block, size);
  const cg::thread_group erased = block;
  const cg::thread_group again = cg::tiled_partition(erased, size);
  tile.sync();
  out[block.thread_rank()] = static_cast<unsigned>(tile.thread_rank() * 100 + again.size());
}

__global__ void single_thread_group(unsigned* out) {
  const auto self = cg::this_thread();
  self.sync();
  out[threadIdx.x] = self.thread_rank() + 10 * self.size() + 100 * self.meta_group_rank() +
                     1000 * self.meta_group_size() + 10000 * self.ballot(1);
}

template <unsigned size>
void test_size(std::mt19937_64& random) {
  test_ranks<size>(dim3(threads));
  test_ranks<size>(dim3(8, 4, 3));
  test_votes<size>(random);
  test_shuffle<size, int>("int");
  test_shuffle<size, double>("double");
  test_shuffle<size, blob<1>>("a byte");
  test_shuffle<size, blob<13>>("13 bytes");
  test_shuffle<size, blob<32>>("32 bytes");
}

}  // namespace

int main() {
  std::mt19937_64 random = random_numbers();
  test_size<1>(random);
  test_size<2>(random);
  test_size<4>(random);
  test_size<8>(random);
  test_size<16>(random);
  test_size<32>(random);

  for (const unsigned size : {1u, 4u, 32u}) {
    constexpr unsigned odd_block = 75;  // the last tile is smaller
    device_array<unsigned> out(odd_block, 0u);
    tile_at_run_time<<<1, odd_block>>>(size, out.get());
    finish_kernels("tile_at_run_time");
    std::vector<unsigned> want;
    for (unsigned i = 0; i < odd_block; ++i) {
      want.push_back(i % size * 100 + std::min(size, odd_block - i / size * size));
    }
    expect_equal("tiles of " + std::to_string(size) + " chosen at run time know their ranks",
                 out.read(), want);
  }

  device_array<unsigned> out(threads, 0u);
  single_thread_group<<<1, threads>>>(out.get());
  finish_kernels("single_thread_group");
  expect_equal("this_thread is a group of one", out.read(), std::vector<unsigned>(threads, 11010));
  return report();
}
