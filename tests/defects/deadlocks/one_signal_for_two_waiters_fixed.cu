// The second and third warps wait until the first has published its table.
#include <cstdio>

__managed__ int copies[64];

__global__ void publish() {
  __shared__ int table[32];
  __shared__ int signal;
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) signal = 0;
  __syncthreads();
  if (warp == 0) {
    table[lane] = lane * lane;
    __syncwarp();
    __threadfence_block();
    if (lane == 0) atomicExch(&signal, 1);
  } else {
    if (lane == 0) {
      while (atomicAdd(&signal, 0) == 0) __nanosleep(20);
    }
    __threadfence_block();
    __syncwarp();
    copies[threadIdx.x - 32] = table[lane];
  }
}

int main() {
  publish<<<1, 96>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", copies[31], copies[63]);
}
