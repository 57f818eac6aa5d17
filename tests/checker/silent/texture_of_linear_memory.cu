// Reverses an array that it reads through a texture object.
#include <cstdio>

constexpr int n = 64;

__global__ void reverse(float* results, cudaTextureObject_t texture) {
  results[threadIdx.x] = tex1Dfetch<float>(texture, n - 1 - static_cast<int>(threadIdx.x));
}

int main() {
  float *values = nullptr, *results = nullptr, host[n];
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&results, sizeof host);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = values;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = sizeof host;
  const cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  reverse<<<1, n>>>(results, texture);
  cudaMemcpy(host, results, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", host[0], host[n - 1]);
  cudaDestroyTextureObject(texture);
  cudaFree(values);
  cudaFree(results);
  return host[0] == n - 1 && host[n - 1] == 0 ? 0 : 1;
}
