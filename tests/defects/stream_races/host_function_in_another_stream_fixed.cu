// A host function prints the average that a kernel has written to pinned memory.
#include <cstdio>

__global__ void compute(float* average) { *average = 2.5f; }

void report(void* value) { printf("%f\n", *static_cast<float*>(value)); }

int main() {
  float* average;
  cudaMallocHost(&average, sizeof(float));
  *average = 0;
  cudaStream_t computing, reporting;
  cudaStreamCreate(&computing);
  cudaStreamCreate(&reporting);
  compute<<<1, 1, 0, computing>>>(average);
  cudaLaunchHostFunc(computing, report, average);
  cudaDeviceSynchronize();
  cudaStreamDestroy(computing);
  cudaStreamDestroy(reporting);
  cudaFreeHost(average);
}
