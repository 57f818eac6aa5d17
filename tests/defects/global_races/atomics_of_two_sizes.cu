// Keeps a count in the low half and a sum in the high half of one 64-bit word.
#include <cstdio>

__managed__ unsigned long long packed;

__global__ void record() {
  const unsigned value = threadIdx.x;
  if (value % 2 == 0) {
    atomicAdd(&packed, (static_cast<unsigned long long>(value) << 32) + 1);
  } else {
    atomicAdd(reinterpret_cast<unsigned*>(&packed), 1u);
  }
}

int main() {
  record<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%llu values, sum %llu\n", packed & 0xffffffff, packed >> 32);
}
