// Dealing ranges of unequal length to lanes.
#include <gtest/gtest.h>
#include <heddle/cluster/shares.cuh>

#include <cstdint>
#include <string>
#include <vector>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;

// Records which lane brought each item, and counts how often it was seen.
__global__ void deal(const std::uint32_t* begins, const std::uint32_t* counts, int* owners,
                     int* seen, int most_rounds) {
  int rounds = 0;
  heddle::cluster::detail::deal_items(begins[threadIdx.x], counts[threadIdx.x],
                                      [&](std::uint32_t item, int owner, bool is_item) {
                                        if (is_item) {
                                          owners[item] = owner;
                                          atomicAdd(&seen[item], 1);
                                        }
                                        return ++rounds < most_rounds;
                                      });
}

TEST(deal_items, deals_each_item_once_from_ranges_of_any_length) {
  HEDDLE_NAME_SEED();
  for (std::uint64_t round = 0; round < 40; ++round) {
    std::vector<std::uint32_t> begins(32), counts(32);
    std::vector<int> expected;
    for (std::uint64_t lane = 0; lane < 32; ++lane) {
      const std::uint64_t bits = sample_bits(seed(), round * 32 + lane);
      const std::uint64_t most = round % 4 == 0 ? 2 : round % 4 == 1 ? 100 : 7;
      counts[lane] = bits % 3 == 0 ? 0 : static_cast<std::uint32_t>(bits / 3 % most);
      begins[lane] = static_cast<std::uint32_t>(expected.size());
      expected.insert(expected.end(), counts[lane], static_cast<int>(lane));
    }
    const device_array<std::uint32_t> from(begins), many(counts);
    const device_array<int> owners(std::vector<int>(expected.size(), -1));
    const device_array<int> seen(std::vector<int>(expected.size(), 0));
    deal<<<1, 32>>>(from.data(), many.data(), owners.data(), seen.data(), 1 << 30);
    check(cudaDeviceSynchronize(), "the kernel");
    EXPECT_EQ(owners.values(), expected);
    EXPECT_EQ(seen.values(), std::vector<int>(expected.size(), 1));
  }
}

TEST(deal_items, stops_on_request) {
  const device_array<std::uint32_t> from(std::vector<std::uint32_t>(32, 0));
  std::vector<std::uint32_t> counts(32, 0);
  counts[5] = 200;
  const device_array<std::uint32_t> many(counts);
  const device_array<int> owners(std::vector<int>(200, -1)), seen(std::vector<int>(200, 0));
  deal<<<1, 32>>>(from.data(), many.data(), owners.data(), seen.data(), 2);
  check(cudaDeviceSynchronize(), "the kernel");
  for (int i = 0; i < 200; ++i) EXPECT_EQ(seen.values()[static_cast<std::size_t>(i)], i < 64) << i;
}

__global__ void take(std::uint32_t* counter, const std::uint32_t* wanted, std::uint32_t* first) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  first[thread] = heddle::cluster::detail::take_numbers(counter, wanted[thread]);
}

TEST(take_numbers, gives_each_number_to_one_taker) {
  HEDDLE_NAME_SEED();
  std::vector<std::uint32_t> wanted(512);
  std::uint32_t all = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    wanted[i] = static_cast<std::uint32_t>(sample_bits(seed(), i) % 5);
    all += wanted[i];
  }
  const device_array<std::uint32_t> counter(std::vector<std::uint32_t>(1, 0)), asked(wanted);
  const device_array<std::uint32_t> first(wanted.size());
  take<<<4, 128>>>(counter.data(), asked.data(), first.data());
  check(cudaDeviceSynchronize(), "the kernel");
  EXPECT_EQ(counter.values()[0], all);
  std::vector<int> owners(all, 0);
  const auto firsts = first.values();
  for (std::size_t i = 0; i < wanted.size(); ++i)
    for (std::uint32_t k = 0; k < wanted[i]; ++k) ++owners.at(firsts[i] + k);
  EXPECT_EQ(owners, std::vector<int>(all, 1));
}

}  // namespace
