// block::count_in_bins and related functions against plain loops over the items of a block.
#include <heddle/block/histogram.cuh>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;

// The bin of an item: all in one, in a few, or in any; some are negative.
__host__ __device__ int bin_of(std::uint64_t seed, int item, int used_bins) {
  const auto bits = sample<std::uint32_t>(seed, item);
  return bits % 11 == 0 ? -1 - static_cast<int>(bits % 5) : static_cast<int>(bits / 11 % used_bins);
}

// Two rounds in a row on one scratch. Both are added to `sums`; the second is also written to the
// block's part of `lists`.
template <int bins, typename Counter>
struct count_twice {
  std::uint64_t seed;
  int used_bins;
  Counter* sums;
  unsigned* lists;
  __device__ int operator()() const {
    __shared__ heddle::block::histogram_scratch<bins> scratch;
    const int first = (blockIdx.x * heddle::block_size() + heddle::thread_rank()) * 5;
    for (int round = 0; round < 2; ++round) {
      heddle::block::clear_bins(scratch);
      if (heddle::warp_rank() % 2 == 1) __nanosleep(1000);
      int some[4];
      for (int i = 0; i < 4; ++i) some[i] = bin_of(seed + round, first + i, used_bins);
      heddle::block::count_in_bins(some, scratch);
      heddle::block::count_in_bins(bin_of(seed + round, first + 4, used_bins), scratch);
      heddle::block::add_bins_to(sums, scratch);
    }
    heddle::block::store_bins_to(lists + blockIdx.x * bins, scratch);
    return 0;
  }
};

template <int bins, typename Counter>
void expect_counted(dim3 block, int used_bins) {
  constexpr int blocks = 3;
  const int items = static_cast<int>(block.x * block.y * block.z) * 5;
  SCOPED_TRACE("items of a block " + std::to_string(items) + ", bins " + std::to_string(bins) +
               ", used " + std::to_string(used_bins));
  device_array<Counter> sums(std::vector<Counter>(bins, 100));
  device_array<unsigned> lists(blocks * bins);
  answers_of(count_twice<bins, Counter>{seed(), used_bins, sums.data(), lists.data()}, block,
             blocks);
  std::vector<Counter> expected_sums(bins, 100);
  std::vector<unsigned> expected_lists(blocks * bins, 0);
  for (int item = 0; item < blocks * items; ++item) {
    for (int round = 0; round < 2; ++round) {
      const int bin = bin_of(seed() + round, item, used_bins);
      if (bin < 0) continue;
      expected_sums[bin] += 1;
      if (round == 1) expected_lists[item / items * bins + bin] += 1;
    }
  }
  EXPECT_EQ(sums.values(), expected_sums);
  EXPECT_EQ(lists.values(), expected_lists);
}

TEST(block_histogram, serves_blocks_of_every_size) {
  HEDDLE_NAME_SEED();
  for (unsigned threads : {1u, 31u, 32u, 33u, 100u, 255u, 256u, 257u, 1000u, 1024u}) {
    expect_counted<256, unsigned>(threads, 256);
  }
}

TEST(block_histogram, serves_blocks_of_two_and_three_dimensions) {
  HEDDLE_NAME_SEED();
  expect_counted<256, unsigned>(dim3(16, 8), 256);
  expect_counted<256, unsigned>(dim3(7, 5, 3), 256);
}

TEST(block_histogram, counts_items_that_share_few_bins) {
  HEDDLE_NAME_SEED();
  expect_counted<256, unsigned>(512, 1);
  expect_counted<256, unsigned>(512, 3);
}

TEST(block_histogram, has_any_number_of_bins_and_counters_of_any_width) {
  HEDDLE_NAME_SEED();
  expect_counted<1, int>(96, 1);
  expect_counted<37, std::int64_t>(96, 37);
  expect_counted<3000, std::uint64_t>(96, 3000);
}

}  // namespace
