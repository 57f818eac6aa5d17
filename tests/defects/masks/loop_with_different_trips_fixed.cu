// Counts the odd numbers of a list whose length is not a multiple of the warp size.
#include <cstdio>

constexpr int n = 72;
__managed__ int list[n];
__managed__ int odd_numbers;

__global__ void count_odd() {
  const int lane = threadIdx.x;
  int count = 0;
  for (int i = lane; i - lane < n; i += 32) {
    const unsigned odd = __ballot_sync(0xffffffff, i < n && list[i] % 2 == 1);
    count += __popc(odd);
  }
  count = __shfl_sync(0xffffffff, count, 0);
  if (lane == 31) odd_numbers = count;
}

int main() {
  for (int i = 0; i < n; ++i) list[i] = i * 3;
  count_odd<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d\n", odd_numbers);
}
