// Lanes of one warp make progress independently: a spin lock, and a chain of waiting lanes.
#include <cstdio>

constexpr int rounds = 100;

// All 32 lanes compete for one lock. This ends only if the lane that holds the lock can run while
// the others spin. GPUs guarantee that since Volta, and so does heddle's CPU runtime.
__global__ void count_under_lock(int* lock, long long* counter) {
  for (int round = 0; round < rounds; ++round) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    const long long seen = *static_cast<volatile long long*>(counter);
    *static_cast<volatile long long*>(counter) = seen + threadIdx.x;
    __threadfence();
    atomicExch(lock, 0);
  }
}

// Lane n waits for lane n - 1, adds its own number and passes the sum on to lane n + 1.
__global__ void pass_along(volatile int* message, volatile int* is_ready) {
  const int lane = threadIdx.x;
  int received = 0;
  if (lane > 0) {
    while (is_ready[lane - 1] == 0) {
    }
    __threadfence();
    received = message[lane - 1];
  }
  message[lane] = received + lane;
  __threadfence();
  is_ready[lane] = 1;
}

int main() {
  int *lock, *message, *is_ready;
  long long* counter;
  cudaMallocManaged(&lock, sizeof(int));
  cudaMallocManaged(&counter, sizeof(long long));
  cudaMallocManaged(&message, 32 * sizeof(int));
  cudaMallocManaged(&is_ready, 32 * sizeof(int));
  *lock = 0;
  *counter = 0;
  for (int i = 0; i < 32; ++i) is_ready[i] = message[i] = 0;

  count_under_lock<<<1, 32>>>(lock, counter);
  pass_along<<<1, 32>>>(message, is_ready);
  const cudaError_t status = cudaDeviceSynchronize();
  if (status != cudaSuccess) {
    std::printf("a kernel failed: %s\n", cudaGetErrorString(status));
    return 1;
  }

  long long expected_count = 0;
  int expected_message = 0;
  for (int lane = 0; lane < 32; ++lane) {
    expected_count += rounds * lane;
    expected_message += lane;
  }
  std::printf("under the lock: %lld of %lld; along the chain: %d of %d\n", *counter, expected_count,
              message[31], expected_message);
  return *counter == expected_count && message[31] == expected_message ? 0 : 1;
}
