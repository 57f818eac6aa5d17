// Histogram steps of warps against a loop over all samples.
#include <heddle/warp/histogram.cuh>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;
using heddle::lane_id;
using heddle::lane_mask;

constexpr int bin_count = 23;
constexpr int steps = 12;

// The bin of a thread in a step: one for all, one of three, any, and sometimes none.
__host__ __device__ int bin_of(std::uint64_t seed, unsigned thread, int step) {
  const auto random = static_cast<unsigned>(sample_bits(seed, thread * steps + step) >> 7);
  if (step % 4 == 0) return 11;
  if (step % 4 == 1) return static_cast<int>(random % 3);
  return static_cast<int>(random % (bin_count + 1)) - 1;
}
__host__ __device__ lane_mask members_of(std::uint64_t seed, unsigned warp, int step) {
  const auto random = static_cast<lane_mask>(sample_bits(seed + 1, warp * steps + step));
  return step % 3 == 0 ? heddle::all_lanes : random;
}

template <typename T>
__host__ __device__ T weight_of(std::uint64_t seed, unsigned thread, int step) {
  // Multiples of 1/8, whose sums are exact in any order.
  const int eighths = static_cast<int>(sample_bits(seed + 2, thread * steps + step) % 100) - 50;
  if constexpr (std::is_integral_v<T>) return static_cast<T>(eighths);
  return static_cast<T>(eighths) / 8;
}

template <typename T, bool with_weights>
struct fill_bins {
  std::uint64_t seed;
  T* bins;  // of all blocks
  __device__ int operator()() const {
    __shared__ T of_block[bin_count];
    if (threadIdx.x < bin_count) of_block[threadIdx.x] = 0;
    __syncthreads();
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int step = 0; step < steps; ++step) {
      const lane_mask members = members_of(seed, thread / 32, step);
      if (!(members >> lane_id() & 1)) continue;
      T* const here = step % 2 == 0 ? of_block : bins;  // shared and global memory
      const int bin = bin_of(seed, thread, step);
      if constexpr (with_weights) {
        heddle::warp::add_to_bins(here, bin, weight_of<T>(seed, thread, step), members);
      } else {
        heddle::warp::count_in_bins(here, bin, members);
      }
    }
    __syncthreads();
    if (threadIdx.x < bin_count) atomicAdd(bins + threadIdx.x, of_block[threadIdx.x]);
    return 0;
  }
};

template <typename T, bool with_weights>
void expect_filled_bins() {
  HEDDLE_NAME_SEED();
  const device_array<T> bins(std::vector<T>(bin_count, T{7}));
  answers_of(fill_bins<T, with_weights>{seed(), bins.data()}, 96, 5);
  std::vector<T> expected(bin_count, T{7});
  for (unsigned thread = 0; thread < 96 * 5; ++thread) {
    for (int step = 0; step < steps; ++step) {
      const int bin = bin_of(seed(), thread, step);
      if (bin < 0 || !(members_of(seed(), thread / 32, step) >> thread % 32 & 1)) continue;
      expected[bin] += with_weights ? weight_of<T>(seed(), thread, step) : T{1};
    }
  }
  EXPECT_EQ(bins.values(), expected) << __PRETTY_FUNCTION__;
}

TEST(warp_histogram, counts_every_lane_once) {
  expect_filled_bins<unsigned, false>();
  expect_filled_bins<unsigned long long, false>();
}

TEST(warp_histogram, adds_every_weight_once) {
  expect_filled_bins<int, true>();
  expect_filled_bins<float, true>();
  expect_filled_bins<double, true>();
}

}  // namespace
