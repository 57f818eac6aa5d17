// Two streams pass an array back and forth with events.
#include <cstdio>

__device__ int values[64];
__managed__ int last;

__global__ void fill() { values[threadIdx.x] = threadIdx.x; }
__global__ void twice() { values[63 - threadIdx.x] *= 2; }
__global__ void fetch() { last = values[63]; }

int main() {
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEvent_t filled, doubled;
  cudaEventCreateWithFlags(&filled, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&doubled, cudaEventDisableTiming);
  fill<<<1, 64, 0, first>>>();
  cudaEventRecord(filled, first);
  cudaStreamWaitEvent(second, filled, 0);
  twice<<<1, 64, 0, second>>>();
  cudaEventRecord(doubled, second);
  cudaStreamWaitEvent(first, doubled, 0);
  fetch<<<1, 1, 0, first>>>();
  cudaStreamSynchronize(first);
  printf("%d\n", last);
  cudaEventDestroy(filled);
  cudaEventDestroy(doubled);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
