// One warp says hello, in lane order: each lane waits for its turn with __syncwarp.
#include <cstdio>

__global__ void hello(int* greetings) {
  const int lane = threadIdx.x;
  for (int turn = 0; turn < warpSize; ++turn) {
    if (lane == turn) {
      printf("hello from lane %d\n", lane);
      *greetings += 1;
    }
    __syncwarp();  // lane turn + 1 speaks only after lane turn has spoken
  }
}

int main() {
  int* greetings = nullptr;
  if (cudaMalloc(&greetings, sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(greetings, 0, sizeof(int));

  hello<<<1, 32>>>(greetings);
  if (cudaDeviceSynchronize() != cudaSuccess) {
    std::printf("the kernel failed: %s\n", cudaGetErrorString(cudaGetLastError()));
    return 1;
  }

  int counted = 0;
  cudaMemcpy(&counted, greetings, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(greetings);
  if (counted != 32) {
    std::printf("expected 32 greetings, counted %d\n", counted);
    return 1;
  }
  return 0;
}
