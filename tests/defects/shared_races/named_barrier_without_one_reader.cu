// Four warps sum a table in shared memory; then the first warp refills it for another round.
#include <cstdio>

__global__ void add_up(int* sums) {
  __shared__ int table[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (warp == 0) table[lane] = static_cast<int>(lane);
  __syncthreads();
  int sum = 0;
  for (unsigned i = 0; i < 32; ++i) sum += table[(lane + i) % 32];
  sums[threadIdx.x] = sum;
  if (warp != 3) asm volatile("bar.sync 1, 96;" ::: "memory");
  if (warp == 0) table[lane] = -1;
  __syncthreads();
  sums[threadIdx.x] += table[lane];
}

int main() {
  int* sums = nullptr;
  cudaMallocManaged(&sums, 128 * sizeof(int));
  add_up<<<1, 128>>>(sums);
  cudaDeviceSynchronize();
  std::printf("%d %d\n", sums[0], sums[127]);
  cudaFree(sums);
}
