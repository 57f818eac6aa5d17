// The consumer's stream waits for an event that marks the end of the producer.
#include <cstdio>

__device__ int data[64];
__managed__ int sum;

__global__ void produce() { data[threadIdx.x] = threadIdx.x; }

__global__ void consume() { atomicAdd(&sum, data[threadIdx.x]); }

int main() {
  cudaStream_t producer, consumer;
  cudaStreamCreate(&producer);
  cudaStreamCreate(&consumer);
  cudaEvent_t produced;
  cudaEventCreate(&produced);
  produce<<<1, 64, 0, producer>>>();
  cudaEventRecord(produced, producer);
  cudaStreamWaitEvent(consumer, produced, 0);
  consume<<<1, 64, 0, consumer>>>();
  cudaDeviceSynchronize();
  printf("%d\n", sum);
  cudaEventDestroy(produced);
  cudaStreamDestroy(producer);
  cudaStreamDestroy(consumer);
}
