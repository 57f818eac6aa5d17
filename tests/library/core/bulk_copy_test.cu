// Bulk copies to shared memory, and the barriers that signal their completion.
#include <heddle/core/bulk_copy.cuh>
#include <heddle/core/lane.cuh>

#include <numeric>

#include "support/on_device.cuh"

namespace {
using namespace heddle_test;

constexpr int threads = 96;
constexpr int per_round = 256;
constexpr int rounds = 5;

bool device_has_bulk_copies() {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "properties");
  return properties.major * 10 + properties.minor >=
         heddle::first_architecture_with<heddle::feature::bulk_copy>;
}

// In each round one thread copies and the others read the data and signal when done; two stages.
__global__ void copy_in_rounds(const int* from, int* to, int* late) {
  if constexpr (heddle::has_feature<heddle::feature::bulk_copy>) {
    __shared__ alignas(16) int stages[2][per_round];
    __shared__ heddle::shared_barrier full[2];
    __shared__ heddle::shared_barrier empty[2];
    const int thread = static_cast<int>(threadIdx.x);
    if (thread < 2) {
      full[thread].prepare(1);
      empty[thread].prepare(threads - heddle::warp_size);
      heddle::order_prepared_barriers();
    }
    __syncthreads();
    for (int round = 0; round < rounds; ++round) {
      const int stage = round % 2;
      const unsigned parity = static_cast<unsigned>(round / 2 % 2);
      if (thread == 0) {
        if (round >= 2) empty[stage].wait(parity ^ 1);
        full[stage].expect(sizeof(stages[0]));
        // In two parts; the barrier counts the bytes of both.
        heddle::bulk_load(stages[stage], from + round * per_round, 64, full[stage]);
        heddle::bulk_load(stages[stage] + 16, from + round * per_round + 16,
                          static_cast<int>(sizeof(stages[0])) - 64, full[stage]);
        full[stage].arrive();
      }
      if (thread < heddle::warp_size) continue;
      full[stage].wait(parity);
      if (!full[stage].has_passed(parity)) atomicAdd(late, 1);
      for (int i = thread - heddle::warp_size; i < per_round; i += threads - heddle::warp_size) {
        to[round * per_round + i] = stages[stage][i] + 1;
      }
      empty[stage].arrive();
    }
  }
}

TEST(core_bulk_copy, delivers_every_round_before_its_barrier_passes) {
  if (!device_has_bulk_copies()) GTEST_SKIP() << "this device has no bulk copies";
  std::vector<int> values(rounds * per_round);
  std::iota(values.begin(), values.end(), 1000);
  const device_array<int> from(values);
  const device_array<int> to(values.size());
  const device_array<int> late(std::vector<int>{0});
  copy_in_rounds<<<1, threads>>>(from.data(), to.data(), late.data());
  check(cudaGetLastError(), "the launch");
  check(cudaDeviceSynchronize(), "the kernel");
  for (int& value : values) ++value;
  EXPECT_EQ(to.values(), values);
  EXPECT_EQ(late.values()[0], 0);
}

// A barrier passes with the last of its arrivals, not before.
struct arrive_one_by_one {
  __device__ int operator()() const {
    int passed = 0;
    if constexpr (heddle::has_feature<heddle::feature::bulk_copy>) {
      __shared__ heddle::shared_barrier barrier;
      if (threadIdx.x == 0) {
        barrier.prepare(3);
        heddle::order_prepared_barriers();
        for (int arrival = 0; arrival < 7; ++arrival) {
          barrier.arrive();
          // Pass 0 ends after three arrivals, pass 1 after six.
          passed = passed * 2 + (barrier.has_passed(arrival < 3 ? 0u : 1u) ? 1 : 0);
        }
      }
    }
    return passed;
  }
};

TEST(core_bulk_copy, barriers_pass_with_their_last_arrival) {
  if (!device_has_bulk_copies()) GTEST_SKIP() << "this device has no bulk copies";
  EXPECT_EQ(answers_of(arrive_one_by_one{})[0], 0b0010011);
}

}  // namespace
