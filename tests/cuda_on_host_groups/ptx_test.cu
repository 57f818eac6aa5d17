// cuda::ptx: special registers, mbarriers, bulk copies in both directions.
#include <cuda/barrier>
#include <cuda/ptx>

#include "expect.hpp"

namespace ptx = cuda::ptx;

namespace {

constexpr unsigned threads = 64;

__global__ void read_registers(unsigned* wrong) {
  const unsigned lane = threadIdx.x % 32;
  unsigned mistakes = 0;
  mistakes += ptx::get_sreg_tid_x() != threadIdx.x;
  mistakes += ptx::get_sreg_ntid_x() != blockDim.x;
  mistakes += ptx::get_sreg_ctaid_x() != blockIdx.x;
  mistakes += ptx::get_sreg_nctaid_x() != gridDim.x;
  mistakes += ptx::get_sreg_laneid() != lane;
  mistakes += ptx::get_sreg_lanemask_eq() != 1u << lane;
  mistakes += ptx::get_sreg_lanemask_lt() != (1u << lane) - 1;
  mistakes += ptx::get_sreg_lanemask_le() != ((1u << lane) - 1 | 1u << lane);
  mistakes += ptx::get_sreg_lanemask_ge() != ~((1u << lane) - 1);
  mistakes += ptx::get_sreg_lanemask_gt() != ~((1u << lane) - 1 | 1u << lane);
  const auto before = ptx::get_sreg_clock64();
  mistakes += ptx::get_sreg_clock64() < before;
  wrong[blockIdx.x * blockDim.x + threadIdx.x] = mistakes;
}

// One thread copies in, all threads work, one thread copies out; four rounds alternate the parity.
__global__ void double_all(int* data) {
  __shared__ alignas(16) int staged[threads];
  __shared__ std::uint64_t arrived;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&arrived, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  for (unsigned round = 0; round < 4; ++round) {
    int* place = data + round * threads;
    if (threadIdx.x == 0) {
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &arrived,
                                     sizeof(staged));
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, staged, place, sizeof(staged),
                         &arrived);
    }
    while (!ptx::mbarrier_try_wait_parity(&arrived, round & 1)) {
    }
    staged[threadIdx.x] *= 2;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, place, staged, sizeof(staged));
      ptx::cp_async_bulk_commit_group();
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

__global__ void meet_by_hand(int* out) {
  __shared__ std::uint64_t meeting;
  __shared__ int values[threads];
  if (threadIdx.x == 0) ptx::mbarrier_init(&meeting, blockDim.x);
  __syncthreads();
  values[threadIdx.x] = threadIdx.x * 5;
  const std::uint64_t token = ptx::mbarrier_arrive(&meeting);
  while (!ptx::mbarrier_try_wait(&meeting, token)) {
  }
  out[threadIdx.x] = values[(threadIdx.x + 40) % threads];
}

}  // namespace

int main() {
  device_array<unsigned> wrong(2 * threads, 99u);
  read_registers<<<2, threads>>>(wrong.get());
  finish_kernels("read_registers");
  expect_equal("special registers agree with CUDA's variables", wrong.read(),
               std::vector<unsigned>(2 * threads, 0u));

  std::vector<int> source(4 * threads), doubled;
  for (unsigned i = 0; i < source.size(); ++i) source[i] = static_cast<int>(i) + 7;
  for (const int value : source) doubled.push_back(2 * value);
  device_array<int> data(source);
  double_all<<<1, threads>>>(data.get());
  finish_kernels("double_all");
  expect_equal("bulk copies bring data in and out", data.read(), doubled);

  device_array<int> out(threads, -1);
  meet_by_hand<<<1, threads>>>(out.get());
  finish_kernels("meet_by_hand");
  std::vector<int> want;
  for (unsigned i = 0; i < threads; ++i) want.push_back((i + 40) % threads * 5);
  expect_equal("an mbarrier used by hand holds threads back", out.read(), want);
  return report();
}
