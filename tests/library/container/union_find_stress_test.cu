// Union-find with any number of unions: the result does not depend on the order.
//
// HEDDLE_STRESS is the number of unions of the largest case, as in stress_test.cu.
#include <heddle/container/union_find.cuh>
#include <heddle/core/architecture.cuh>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::container::union_find;
using heddle::container::union_find_view;
using word = unsigned long long;

word operations() {
  const char* const asked = std::getenv("HEDDLE_STRESS");
  return asked == nullptr ? 60'000 : std::strtoull(asked, nullptr, 10);
}

// What the threads have seen, in total.
struct tally {
  word unions;   // that joined two sets
  word strange;  // impossible results
};

// Each round unites a random element with one of its own kind, which differs by a multiple of
// `kinds`. No thread may see two kinds united, or two elements apart that it has united.
__global__ void unite_at_random(union_find_view sets, unsigned count, unsigned kinds, word rounds,
                                std::uint64_t seed, tally* all) {
  const word thread = word{blockIdx.x} * blockDim.x + threadIdx.x;
  const word threads = word{gridDim.x} * blockDim.x;
  tally mine{};
  for (word i = thread; i < rounds; i += threads) {
    const std::uint64_t bits = sample_bits(seed, i);
    const auto one = static_cast<unsigned>(bits % count);
    const auto other = static_cast<unsigned>((one + (bits >> 32) % 5 * kinds) % count);
    if (sets.unite(one, other)) ++mine.unions;
    if (i % 16 == 0) {
      const unsigned root = sets.find(other);
      if (!sets.are_united(one, other) || root > other || root % kinds != one % kinds) {
        ++mine.strange;
      }
    }
  }
  atomicAdd(&all->unions, mine.unions);
  atomicAdd(&all->strange, mine.strange);
}

// Unites what the random unions have left out: each element with the next of its kind.
__global__ void unite_the_rest(union_find_view sets, unsigned count, unsigned kinds, tally* all) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i + kinds < count;
       i += gridDim.x * blockDim.x) {
    if (sets.unite(i, i + kinds)) atomicAdd(&all->unions, word{1});
  }
}

void stress(unsigned count, unsigned kinds, unsigned blocks, unsigned threads, word rounds) {
  ASSERT_EQ(count % kinds, 0u);
  const union_find sets(count);
  const device_array<tally> all(std::vector<tally>(1));
  const device_array<unsigned> roots(count);
  unite_at_random<<<blocks, threads>>>(sets.view(), count, kinds, rounds, seed(), all.data());
  unite_the_rest<<<blocks, threads>>>(sets.view(), count, kinds, all.data());
  sets.roots(roots.data());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  std::vector<unsigned> expected(count);
  for (unsigned i = 0; i < count; ++i) expected[i] = i % kinds;
  EXPECT_EQ(all.values().front().unions, count - kinds) << count << " elements";
  EXPECT_EQ(all.values().front().strange, 0u) << count << " elements";
  EXPECT_TRUE(roots.values() == expected) << count << " elements of " << kinds << " kinds";
}

TEST(container_union_find_stress, unites_each_kind_once_on_a_full_device) {
  HEDDLE_NAME_SEED();
  const auto resident = heddle::current_device().resident_threads();
  const auto blocks =
      static_cast<unsigned>(std::max<word>(std::min<word>(resident, operations() / 4) / 256, 1));
  for (const unsigned kinds : {1u, 7u, 1000u}) {
    const unsigned count = operations() >= 1'000'000 ? kinds * 1024 : kinds * 8;
    stress(count, kinds, blocks, 256, operations() / 3);
  }
}

TEST(container_union_find_stress, unites_each_kind_once_with_few_elements_and_many_lanes) {
  HEDDLE_NAME_SEED();
  for (const unsigned count : {1u, 2u, 3u, 40u}) {
    stress(count, 1, 4, 128, operations() / 64);
  }
}

}  // namespace
