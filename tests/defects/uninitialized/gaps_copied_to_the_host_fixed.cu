// Marks the multiples of three and copies all marks to the host.
#include <cstdio>

__global__ void mark(int* flags) {
  if (threadIdx.x % 3 == 0) flags[threadIdx.x] = 1;
}

int main() {
  int* flags;
  cudaMalloc(&flags, 64 * sizeof(int));
  cudaMemset(flags, 0, 64 * sizeof(int));
  mark<<<1, 64>>>(flags);
  int host[64];
  cudaMemcpy(host, flags, sizeof(host), cudaMemcpyDeviceToHost);
  int marked = 0;
  for (int flag : host) marked += flag;
  printf("%d\n", marked);
  cudaFree(flags);
}
