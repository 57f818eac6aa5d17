// Kernels launch kernels: in order, by events, by tail launches, and from several threads and
// blocks.
#include <cstdio>

constexpr int count = 64, blocks = 3;

__global__ void fill(int* values, int value) { values[threadIdx.x] = value; }
__global__ void add(const int* values, int* sum) { atomicAdd(sum, values[threadIdx.x]); }
__global__ void report(const int* values, const int* sum, int* result) {
  *result = *sum + values[threadIdx.x];
}

__global__ void split(int* values, int* sum, int depth) {
  values[threadIdx.x] += depth;
  __syncthreads();
  if (depth == 0 || threadIdx.x != 0) return;
  split<<<1, count>>>(values, sum, depth - 1);
  add<<<1, count>>>(values, sum);
}

__global__ void work(int* values, int* sums, int* results) {
  int* const mine = values + blockIdx.x * count;
  int* const sum = sums + blockIdx.x;
  if (threadIdx.x == 0) {
    report<<<1, 1, 0, cudaStreamTailLaunch>>>(mine, sum, results + blockIdx.x);
    mine[5] = 1;  // the child overwrites it
    cudaStream_t first, second;
    cudaEvent_t filled;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&filled, cudaEventDisableTiming);
    fill<<<1, count, 0, first>>>(mine, 2);
    cudaEventRecord(filled, first);
    cudaStreamWaitEvent(second, filled, 0);
    add<<<1, count, 0, second>>>(mine, sum);
    split<<<1, count, 0, second>>>(mine, sum, 3);
    cudaEventDestroy(filled);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
  }
}

int main() {
  int *values = nullptr, *sums = nullptr, *results = nullptr, host[blocks];
  cudaMalloc(&values, blocks * count * sizeof(int));
  cudaMalloc(&sums, blocks * sizeof(int));
  cudaMalloc(&results, blocks * sizeof(int));
  cudaMemset(sums, 0, blocks * sizeof(int));
  work<<<blocks, 32>>>(values, sums, results);
  fill<<<1, blocks>>>(values, 0);
  cudaMemcpy(host, results, sizeof host, cudaMemcpyDeviceToHost);
  int wrong = 0;
  // each value adds 2, 8, 8 and 8 in the four stages, and 2 + 3 + 2 + 1 + 0 remain at the end
  for (const int each : host) wrong += each != count * (2 + 8 + 8 + 8) + 8;
  std::printf("%d %d\n", host[0], wrong);
  cudaFree(values);
  cudaFree(sums);
  cudaFree(results);
  return wrong;
}
