// Computes square roots by Newton's method until the result of every lane is accurate enough.
#include <cstdio>

__managed__ float roots[32];

__global__ void square_roots() {
  const float number = threadIdx.x * threadIdx.x + 2;
  float root = number;
  while (true) {
    const float next = 0.5f * (root + number / root);
    const bool is_exact = fabsf(next - root) < 0.001f * root;
    root = next;
    if (is_exact) break;
    if (__all_sync(0xffffffff, is_exact)) break;
  }
  const float largest = __shfl_sync(0xffffffff, root, 31);
  roots[threadIdx.x] = root / largest;
}

int main() {
  square_roots<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%.2f %.2f\n", roots[0], roots[31]);
}
