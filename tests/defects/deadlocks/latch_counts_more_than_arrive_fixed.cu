// One lane per warp counts a latch down when the warp's part is ready; all threads wait for it.
#include <cuda/latch>

#include <cstdio>

using block_latch = cuda::latch<cuda::thread_scope_block>;
__managed__ int result[128];

__global__ void combine() {
  __shared__ alignas(block_latch) unsigned char storage[sizeof(block_latch)];
  __shared__ int parts[4];
  block_latch* ready = reinterpret_cast<block_latch*>(storage);
  if (threadIdx.x == 0) new (ready) block_latch(blockDim.x / 32);
  __syncthreads();
  const int sum = __reduce_add_sync(0xffffffff, threadIdx.x);
  if (threadIdx.x % 32 == 0) {
    parts[threadIdx.x / 32] = sum;
    ready->count_down();
  }
  ready->wait();
  result[threadIdx.x] = parts[0] + parts[1] + parts[2] + parts[3];
}

int main() {
  combine<<<1, 128>>>();
  cudaDeviceSynchronize();
  printf("%d\n", result[127]);
}
