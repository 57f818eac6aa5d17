// Divides dynamic shared memory into an array of floats and, after it, an array of doubles.
#include <cstdio>

constexpr int threads = 64;
__managed__ double result;

__global__ void accumulate() {
  extern __shared__ double scratch[];
  float* values = reinterpret_cast<float*>(scratch);
  double* sums = reinterpret_cast<double*>(values + threads + 1);
  values[threadIdx.x] = threadIdx.x;
  sums[threadIdx.x] = 2.0 * values[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) result = sums[threads - 1];
}

int main() {
  accumulate<<<1, threads, (threads + 2) * sizeof(float) + threads * sizeof(double)>>>();
  cudaDeviceSynchronize();
  printf("%f\n", result);
}
