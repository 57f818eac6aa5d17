// Multiplies into a product with a compare-and-swap loop; an old value may come back.
#include <cstdio>

__managed__ unsigned product = 1;

__device__ void multiply(unsigned* address, unsigned factor) {
  unsigned expected = *static_cast<volatile unsigned*>(address);
  while (true) {
    const unsigned before = atomicCAS(address, expected, expected * factor);
    if (before == expected) return;
    expected = before;
  }
}

__global__ void multiply_all() { multiply(&product, threadIdx.x % 2 == 0 ? 0xffffffffu : 1u); }

int main() {
  multiply_all<<<2, 64>>>();
  cudaDeviceSynchronize();
  printf("%u\n", product);
}
