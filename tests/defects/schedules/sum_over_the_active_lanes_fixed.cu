// Sums the odd values of a warp.
#include <cstdio>

__managed__ int sum_of_odd;

__global__ void sum_odd() {
  const int value = threadIdx.x * threadIdx.x % 17;
  const unsigned members = __ballot_sync(0xffffffff, value % 2 == 1);
  if (value % 2 == 1) {
    const int sum = __reduce_add_sync(members, value);
    if (threadIdx.x == __ffs(members) - 1) sum_of_odd = sum;
  }
}

int main() {
  sum_odd<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d\n", sum_of_odd);
}
