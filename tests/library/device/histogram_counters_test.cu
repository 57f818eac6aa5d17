// The counters of a histogram block: in columns, packed in pairs, and in registers.
#include <heddle/device/histogram/counters.cuh>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
namespace detail = heddle::device::detail;

constexpr int bins = 37;
__host__ __device__ int bin_of(std::uint64_t seed, int i) {
  // A third of all values are in one bin.
  const std::uint64_t bits = sample_bits(seed, static_cast<std::uint64_t>(i));
  return bits % 3 == 0 ? 5 : static_cast<int>((bits >> 8) % bins);
}
std::vector<unsigned> counts_of(std::uint64_t seed, int values) {
  std::vector<unsigned> counts(bins, 0);
  for (int i = 0; i < values; ++i) ++counts[static_cast<std::size_t>(bin_of(seed, i))];
  return counts;
}

__global__ void count_in_columns(std::uint64_t seed, int values, int column_bits,
                                 unsigned* totals) {
  __shared__ std::uint32_t words[bins << 5];
  detail::counted_in_columns counters(words, column_bits);
  counters.clear(bins);
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < values; i += static_cast<int>(blockDim.x)) {
    counters.count(bin_of(seed, i));
  }
  __syncthreads();
  for (int bin = static_cast<int>(threadIdx.x); bin < bins; bin += static_cast<int>(blockDim.x)) {
    totals[bin] = counters.total(bin);
  }
}

TEST(device_histogram_counters, add_up_over_any_number_of_columns) {
  HEDDLE_NAME_SEED();
  for (int column_bits = 0; column_bits <= 5; ++column_bits) {
    const device_array<unsigned> totals(bins);
    count_in_columns<<<1, 96>>>(seed(), 5000, column_bits, totals.data());
    check(cudaDeviceSynchronize(), "the kernel");
    ASSERT_EQ(totals.values(), counts_of(seed(), 5000)) << (1 << column_bits) << " columns";
  }
}

// The threads of each block visit every bin together, each bin once.
__global__ void visit_bins(int count, unsigned* visits) {
  detail::for_each_own_bin(
      count, [&](int bin) { atomicAdd(visits + (bin >= 0 && bin < count ? bin : count), 1u); });
}

TEST(device_histogram_counters, are_handed_over_once_by_every_block) {
  for (const int count : {1, 31, 32, 33, 100, 1000}) {
    for (const unsigned blocks : {1u, 2u, 7u}) {
      const device_array<unsigned> visits(
          std::vector<unsigned>(static_cast<std::size_t>(count) + 1, 0));
      visit_bins<<<blocks, 64>>>(count, visits.data());
      check(cudaDeviceSynchronize(), "the kernel");
      std::vector<unsigned> expected(static_cast<std::size_t>(count), blocks);
      expected.push_back(0);
      ASSERT_EQ(visits.values(), expected) << count << " bins, " << blocks << " blocks";
    }
  }
}

// Values in groups of four; values in other blocks' bins or in no bin count nothing.
template <typename Counter>
__global__ void count_packed(std::uint64_t seed, int rounds, Counter* counts) {
  constexpr int half = (bins + 1) / 2;
  __shared__ std::uint32_t words[half];
  detail::packed_counters<Counter> counters(words, half, counts);
  counters.clear();
  __syncthreads();
  const int threads = static_cast<int>(blockDim.x);
  for (int round = 0; round < rounds; ++round) {
    int own[6];
    for (int i = 0; i < 4; ++i) {
      own[i] = bin_of(seed, (round * 4 + i) * threads + static_cast<int>(threadIdx.x));
    }
    own[4] = -1;
    own[5] = bins + static_cast<int>(threadIdx.x);
    counters.count(own, bins);
    __syncthreads();
  }
  counters.hand_over();
}

template <typename Counter>
void expect_packed_counts() {
  HEDDLE_NAME_SEED();
  static_assert(128 * 4 <= detail::packed_counters<Counter>::most_between_barriers);
  for (const int rounds : {1, 40}) {  // with 40, the full bin gets more than 16 bits hold
    const int values = rounds * 4 * 128;
    const device_array<Counter> counts(std::vector<Counter>(bins, 0));
    count_packed<<<1, 128>>>(seed(), rounds, counts.data());
    check(cudaDeviceSynchronize(), "the kernel");
    const auto found = counts.values();
    const auto expected = counts_of(seed(), values);
    for (std::size_t bin = 0; bin < bins; ++bin) {
      ASSERT_EQ(found[bin], expected[bin]) << "bin " << bin << " after " << values << " values";
    }
  }
}

TEST(device_histogram_counters, of_16_bits_carry_what_they_cannot_hold) {
  expect_packed_counts<std::uint32_t>();
  expect_packed_counts<unsigned long long>();
}

// All threads count in one bin: the other counter in the same word must not change.
__global__ void fill_one_bin(int bin, int rounds, unsigned* counts) {
  __shared__ std::uint32_t words[2];
  detail::packed_counters<unsigned> counters(words, 2, counts);
  counters.clear();
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    const int own[2] = {bin, bin};
    counters.count(own, 4);
    __syncthreads();
  }
  counters.hand_over();
}

TEST(device_histogram_counters, of_16_bits_do_not_overflow_into_their_neighbour) {
  for (int bin = 0; bin < 4; ++bin) {
    const device_array<unsigned> counts(std::vector<unsigned>(4, 0));
    fill_one_bin<<<1, 1024>>>(bin, 50, counts.data());
    check(cudaDeviceSynchronize(), "the kernel");
    std::vector<unsigned> expected(4, 0);
    expected[static_cast<std::size_t>(bin)] = 2 * 1024 * 50;
    ASSERT_EQ(counts.values(), expected) << "bin " << bin;
  }
}

// Loads of two values per lane; in eight of ten loads all values are in one bin, or in none.
__global__ void count_runs(int loads, unsigned* counts, unsigned* not_taken) {
  detail::warp_run<unsigned> run(counts);
  for (int load = 0; load < loads; ++load) {
    int own[2] = {load / 5 % bins, load / 5 % bins};
    if (load % 10 == 7) own[1] = 0;  // in every lane
    if (load % 10 == 9 && heddle::lane_id() == load % 32) own[0] = own[1] = bins - 1;  // in one
    if (load % 10 == 4) own[0] = own[1] = -1;                                          // no bin
    if (run.takes(own)) continue;
    if (heddle::lane_id() == 0) atomicAdd(not_taken, 1u);
    for (const int bin : own) atomicAdd(counts + bin, 1u);
  }
  run.close();
}

TEST(device_histogram_counters, in_registers_take_loads_of_one_bin_only) {
  constexpr int loads = 200;
  const device_array<unsigned> counts(std::vector<unsigned>(bins, 0));
  const device_array<unsigned> not_taken(std::vector<unsigned>{0});
  count_runs<<<1, 32>>>(loads, counts.data(), not_taken.data());
  check(cudaDeviceSynchronize(), "the kernel");
  std::vector<unsigned> expected(bins, 0);
  unsigned mixed = 0;
  for (int load = 0; load < loads; ++load) {
    for (int lane = 0; lane < 32; ++lane) {
      int own[2] = {load / 5 % bins, load / 5 % bins};
      if (load % 10 == 7) own[1] = 0;
      if (load % 10 == 9 && lane == load % 32) own[0] = own[1] = bins - 1;
      if (load % 10 == 4) own[0] = own[1] = -1;
      for (const int bin : own) {
        if (bin >= 0) ++expected[static_cast<std::size_t>(bin)];
      }
    }
    const int bin = load / 5 % bins;
    mixed += (load % 10 == 7 && bin != 0) || (load % 10 == 9 && bin != bins - 1);
  }
  EXPECT_EQ(counts.values(), expected);
  EXPECT_EQ(not_taken.values()[0], mixed);
}

}  // namespace
