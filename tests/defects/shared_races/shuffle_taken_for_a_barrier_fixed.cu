// Every lane takes its neighbour's value and divides it by the largest value of the warp.
#include <cstdio>

__managed__ float result[32];

__global__ void scale_and_swap() {
  __shared__ float exchange[32];
  const float value = threadIdx.x + 1;
  exchange[threadIdx.x] = value;
  float largest = value;
  for (int distance = 16; distance > 0; distance /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffff, largest, distance));
  }
  __syncwarp();
  result[threadIdx.x] = exchange[threadIdx.x ^ 1] / largest;
}

int main() {
  scale_and_swap<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%f %f\n", result[0], result[31]);
}
