// Sums at most 32 numbers, and gets it wrong for fewer than 32: the README's first program.
#include <cstdio>

__global__ void total(const int* in, int* out, unsigned count) {
  if (threadIdx.x >= count) return;
  int sum = in[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (threadIdx.x == 0) *out = sum;
}

int main() {
  constexpr unsigned count = 20;
  int* numbers;
  cudaMallocManaged(&numbers, (count + 1) * sizeof(int));
  for (unsigned i = 0; i < count; ++i) numbers[i] = 1;
  total<<<1, 32>>>(numbers, numbers + count, count);
  cudaDeviceSynchronize();
  std::printf("the sum of %u ones is %d\n", count, numbers[count]);
  cudaFree(numbers);
}
