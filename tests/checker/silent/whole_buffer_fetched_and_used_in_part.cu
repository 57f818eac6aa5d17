// A partly filled buffer is copied to the host as a whole and copied once more; only the filled
// part is used.
#include <cstdio>
#include <cstring>

constexpr int room = 64;

__global__ void collect_even(int* found, int* count) {
  if (threadIdx.x % 2 == 0) found[atomicAdd(count, 1)] = threadIdx.x;
}

int main() {
  int *found, *count, host[room], kept[room], used = 0;
  cudaMalloc(&found, sizeof(host));
  cudaMalloc(&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  collect_even<<<1, room>>>(found, count);
  cudaMemcpy(host, found, sizeof(host), cudaMemcpyDeviceToHost);
  cudaMemcpy(&used, count, sizeof(int), cudaMemcpyDeviceToHost);
  std::memcpy(kept, host, sizeof(host));
  int sum = 0;
  for (int i = 0; i < used; ++i) sum += kept[i];
  printf("%d\n", sum);
  cudaFree(found);
  cudaFree(count);
}
