// Adds two vectors, one thread for each element, and checks every CUDA call and every sum.
#include <cstdio>
#include <cstdlib>
#include <vector>

// Prints CUDA's error text and exits if a call failed.
void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(status));
  std::exit(1);
}

#define CHECK(call) check((call), #call)

__global__ void add(const float* a, const float* b, float* sum, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) sum[i] = a[i] + b[i];  // the last block reaches past the end
}

int main() {
  constexpr int count = 1'000'003;  // not a multiple of the block size
  constexpr int threads = 256;
  const size_t bytes = count * sizeof(float);
  std::vector<float> a(count), b(count), sum(count);
  for (int i = 0; i < count; ++i) {
    a[i] = 0.5f * static_cast<float>(i % 1000);
    b[i] = 0.25f * static_cast<float>(i % 777);
  }

  float *device_a, *device_b, *device_sum;
  CHECK(cudaMalloc(&device_a, bytes));
  CHECK(cudaMalloc(&device_b, bytes));
  CHECK(cudaMalloc(&device_sum, bytes));
  CHECK(cudaMemcpy(device_a, a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, b.data(), bytes, cudaMemcpyHostToDevice));

  add<<<(count + threads - 1) / threads, threads>>>(device_a, device_b, device_sum, count);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(sum.data(), device_sum, bytes, cudaMemcpyDeviceToHost));

  // Rounding is the same on both sides: one addition of the same two floats.
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += sum[i] != a[i] + b[i];
  std::printf("%d sums, %d wrong\n", count, wrong);

  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_sum));
  return wrong == 0 ? 0 : 1;
}
