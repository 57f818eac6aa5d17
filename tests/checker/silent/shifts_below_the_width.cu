// Shifts by less than the width, and `<<` on objects that are not integers.
#include <cstdio>

struct trail {
  unsigned code;
};
__device__ trail& operator<<(trail& to, unsigned step) {
  to.code = to.code * 31 + step;
  return to;
}

__managed__ unsigned long long results[64];

__global__ void rotate(unsigned n) {
  const unsigned i = threadIdx.x;
  trail steps{i};
  steps << n << 40u << 64u;
  unsigned long long word = 0x0123456789abcdefull;
  word = word << (i & 63) | word >> (-i & 63);
  results[i] = word + steps.code + (1u << (i % 32)) + (~0u >> (31 - i % 32));
}

int main() {
  rotate<<<1, 64>>>(7);
  cudaDeviceSynchronize();
  std::printf("%llx %llx\n", results[3], results[40]);
}
