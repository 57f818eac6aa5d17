// Finds the largest of fewer values than a warp has lanes.
#include <cstdio>

__global__ void largest(const float* values, int count, float* result) {
  const int lane = threadIdx.x;
  // All lanes stay; idle lanes contribute the first value again, which changes no maximum.
  float mine = values[lane < count ? lane : 0];
  for (int distance = 16; distance > 0; distance /= 2) {
    mine = fmaxf(mine, __shfl_down_sync(0xffffffff, mine, distance));
  }
  if (lane == 0) *result = mine;
}

int main() {
  const int count = 20;
  float host[count], *values, *result, found;
  for (int i = 0; i < count; ++i) host[i] = i % 7 + 1;
  cudaMalloc(&values, sizeof(host));
  cudaMalloc(&result, sizeof(float));
  cudaMemcpy(values, host, sizeof(host), cudaMemcpyHostToDevice);
  largest<<<1, 32>>>(values, count, result);
  cudaMemcpy(&found, result, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", found);
  cudaFree(values);
  cudaFree(result);
}
