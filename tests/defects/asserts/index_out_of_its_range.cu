// Looks digits up in a table; every digit must be below ten.
#include <cassert>
#include <cstdio>

__managed__ int digits[32];
__managed__ int squares[32];

__global__ void look_up() {
  const int digit = digits[threadIdx.x];
  assert(digit >= 0 && digit < 10);
  squares[threadIdx.x] = digit * digit;
}

int main() {
  for (int i = 0; i < 32; ++i) digits[i] = i % 11;
  look_up<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d\n", squares[9]);
}
