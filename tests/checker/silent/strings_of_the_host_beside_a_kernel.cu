// The program instantiates string functions that the checker uses itself.
#include <cstdio>
#include <string>

// C++20 code does this wherever it makes a string from characters.
template std::string::basic_string(const char*, const std::allocator<char>&);

__global__ void pass(const int* in, int* out, int n) {
  __shared__ int tile[64];
  if (threadIdx.x < n) tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int loaded = tile[threadIdx.x];  // the tail is never written and not used
  if (threadIdx.x < n) out[threadIdx.x] = loaded;
}

int main() {
  int *in, *out, numbers[40] = {};
  cudaMalloc(&in, sizeof numbers);
  cudaMalloc(&out, sizeof numbers);
  cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(64);
  cudaLaunchKernelEx(&config, pass, const_cast<const int*>(in), out, 40);
  cudaMemcpy(numbers, out, sizeof numbers, cudaMemcpyDeviceToHost);
  printf("%s %d\n", std::string("the first is").c_str(), numbers[0]);
  cudaFree(in);
  cudaFree(out);
}
