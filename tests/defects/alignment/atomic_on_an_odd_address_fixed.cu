// Counts hits in an array of records, each a short name followed by a counter.
#include <cstdio>

constexpr int record_bytes = 8;
constexpr int counter_offset = 4;

__global__ void hit(unsigned char* records) {
  unsigned char* record = records + (threadIdx.x % 8) * record_bytes;
  atomicAdd(reinterpret_cast<int*>(record + counter_offset), 1);
}

int main() {
  unsigned char* records;
  cudaMalloc(&records, 8 * record_bytes);
  cudaMemset(records, 0, 8 * record_bytes);
  hit<<<1, 64>>>(records);
  int first;
  cudaMemcpy(&first, records + counter_offset, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", first);
  cudaFree(records);
}
