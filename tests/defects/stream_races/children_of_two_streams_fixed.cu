// A kernel lets one child grid fill a table and another one add its elements.
#include <cstdio>

constexpr int count = 64;

__global__ void fill(int* table) { table[threadIdx.x] = static_cast<int>(threadIdx.x); }
__global__ void add(const int* table, int* sum) { atomicAdd(sum, table[threadIdx.x]); }

__global__ void prepare(int* table, int* sum) {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  fill<<<1, count, 0, stream>>>(table);
  add<<<1, count, 0, stream>>>(table, sum);
  cudaStreamDestroy(stream);
}

int main() {
  int *table = nullptr, *sum = nullptr, result = 0;
  cudaMalloc(&table, count * sizeof(int));
  cudaMalloc(&sum, sizeof result);
  cudaMemset(table, 0, count * sizeof(int));
  cudaMemset(sum, 0, sizeof result);
  prepare<<<1, 1>>>(table, sum);
  cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(table);
  cudaFree(sum);
}
