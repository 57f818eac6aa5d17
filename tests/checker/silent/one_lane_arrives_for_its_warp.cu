// A warp writes, and one lane arrives at a barrier for the whole warp. A second warp passes the
// data on in the same way, and a third reads and writes it again: __syncwarp() orders the other
// lanes' accesses before the arrival.
#include <cstdio>
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__managed__ int results[64];

__global__ void hand_on() {
  __shared__ block_barrier written, passed_on;
  __shared__ int values[32];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    init(&written, 33);
    init(&passed_on, 33);
  }
  __syncthreads();
  if (warp == 0) {
    values[lane] = lane;
    results[lane] = values[lane] + 1;
    __syncwarp();
    if (lane == 0) static_cast<void>(written.arrive());
  } else if (warp == 1) {
    written.arrive_and_wait();
    __syncwarp();
    if (lane == 0) static_cast<void>(passed_on.arrive());
  } else {
    passed_on.arrive_and_wait();
    results[32 + lane] = values[31 - lane];
    __syncwarp();
    values[lane] = -1;
  }
}

int main() {
  hand_on<<<1, 96>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", results[5], results[32]);
}
