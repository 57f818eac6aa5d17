// Structs with unwritten padding are copied on the device and to the host.
#include <cstdio>

struct record {
  char name;
  double weight;
  short year;
};
constexpr int count = 32;

__global__ void write(record* records) {
  records[threadIdx.x].name = 'a' + threadIdx.x % 26;
  records[threadIdx.x].weight = 0.5 * threadIdx.x;
  records[threadIdx.x].year = 1990 + threadIdx.x;
}

__global__ void reverse(const record* from, record* to) {
  to[threadIdx.x] = from[count - 1 - threadIdx.x];
}

int main() {
  record *records, *reversed, host[count];
  cudaMalloc(&records, sizeof(host));
  cudaMalloc(&reversed, sizeof(host));
  write<<<1, count>>>(records);
  reverse<<<1, count>>>(records, reversed);
  cudaMemcpy(host, reversed, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%c %f %d\n", host[0].name, host[0].weight, host[0].year);
  cudaFree(records);
  cudaFree(reversed);
}
