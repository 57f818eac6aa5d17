// The probe sequences of keys through the buckets of a hash table.
#include <heddle/container/hash_way.cuh>

#include <cstdint>
#include <string>
#include <vector>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::container::probing;
using heddle::container::detail::bucket_way;
using heddle::container::detail::next_bucket_count;

constexpr unsigned keys = 64;

// Thread k writes the probe sequence of the k-th key, bucket by bucket, and where it would
// continue.
template <probing how>
__global__ void walk(std::uint64_t seed, unsigned buckets, std::uint32_t* visited) {
  const auto key = static_cast<std::uint32_t>(sample_bits(seed, threadIdx.x));
  const auto way = bucket_way<how>::of(key, buckets);
  std::uint32_t at = way.bucket;
  for (unsigned i = 0; i <= buckets; ++i, at = way.after(at, buckets)) {
    visited[threadIdx.x * (buckets + 1) + i] = at;
  }
}

template <probing how, typename Judge>
void expect_of_each_way(const Judge& judge) {
  for (const unsigned least : {1u, 2u, 3u, 4u, 7u, 8u, 50u, 101u}) {
    const auto buckets = static_cast<unsigned>(next_bucket_count<how>(least));
    ASSERT_GE(buckets, least);
    const device_array<std::uint32_t> visited(std::size_t{keys} * (buckets + 1));
    walk<how><<<1, keys>>>(seed(), buckets, visited.data());
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    const auto all = visited.values();
    for (unsigned key = 0; key < keys; ++key) {
      SCOPED_TRACE(std::to_string(buckets) + " buckets, key " + std::to_string(key));
      const auto begin = all.begin() + key * (buckets + 1);
      judge(std::vector<std::uint32_t>(begin, begin + buckets), begin[buckets]);
    }
  }
}

void expect_round(const std::vector<std::uint32_t>& way, std::uint32_t behind) {
  std::vector<unsigned> times(way.size(), 0);
  for (const std::uint32_t bucket : way) {
    ASSERT_LT(bucket, times.size());
    ++times[bucket];
  }
  EXPECT_EQ(times, std::vector<unsigned>(way.size(), 1));
  EXPECT_EQ(behind, way.front());
}

TEST(container_hash_way, visits_each_bucket_once_and_returns_home) {
  HEDDLE_NAME_SEED();
  expect_of_each_way<probing::linear>(expect_round);
  expect_of_each_way<probing::by_own_step>(expect_round);
  expect_of_each_way<probing::neighbour_first>(expect_round);
}

TEST(container_hash_way, visits_both_neighbours_before_it_moves_on) {
  HEDDLE_NAME_SEED();
  expect_of_each_way<probing::neighbour_first>(
      [](const std::vector<std::uint32_t>& way, std::uint32_t) {
        for (std::size_t i = 0; i < way.size(); i += 2) EXPECT_EQ(way[i] ^ 1u, way[i + 1]);
      });
}

TEST(container_hash_way, starts_equally_often_at_either_of_two_neighbours) {
  HEDDLE_NAME_SEED();
  unsigned odd = 0, even = 0;
  expect_of_each_way<probing::neighbour_first>(
      [&](const std::vector<std::uint32_t>& way, std::uint32_t) {
        ++(way.front() % 2 == 0 ? even : odd);
      });
  // Of 512 sequences; no seed deviates this far from one half.
  EXPECT_GT(odd, 128u);
  EXPECT_GT(even, 128u);
}

}  // namespace
