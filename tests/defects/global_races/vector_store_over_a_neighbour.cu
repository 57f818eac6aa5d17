// Each thread writes the colour of its own pixel and the fourth component of another one.
#include <cstdio>

constexpr int pixels = 64;

__global__ void paint(float* colours) {
  float* pixel = colours + 4 * threadIdx.x;
  *reinterpret_cast<float4*>(pixel) = make_float4(0.1f, 0.2f, 0.3f, 0.0f);
  const int opposite = pixels - 1 - threadIdx.x;
  colours[4 * opposite + 3] = opposite;
}

int main() {
  float* colours;
  cudaMalloc(&colours, pixels * sizeof(float4));
  paint<<<1, pixels>>>(colours);
  float host[4 * pixels];
  cudaMemcpy(host, colours, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f %f\n", host[3], host[4 * pixels - 1]);
  cudaFree(colours);
}
