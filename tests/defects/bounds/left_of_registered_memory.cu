// Smooths samples that the device reads directly from registered host memory.
#include <cstdio>
#include <vector>

constexpr int n = 64;
constexpr int before = 16;

__global__ void smooth(const float* samples, float* smoothed) {
  const int i = threadIdx.x;
  smoothed[i] = (samples[i - 1] + samples[i]) / 2;
}

int main() {
  std::vector<float> all(n + before, 1.0f);
  float* samples = all.data() + before;
  cudaHostRegister(samples, n * sizeof(float), cudaHostRegisterDefault);
  float* smoothed;
  cudaMalloc(&smoothed, n * sizeof(float));
  smooth<<<1, n>>>(samples, smoothed);
  float last;
  cudaMemcpy(&last, smoothed + n - 1, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", last);
  cudaHostUnregister(samples);
  cudaFree(smoothed);
}
