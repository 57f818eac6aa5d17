// A second stream waits until the first has finished its kernel.
#include <cstdio>

__managed__ int values[2];

__global__ void set(int place, int value) { values[place] = value; }

int main() {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t done;
  cudaEventCreate(&done);
  set<<<1, 1, 0, first>>>(0, 1);
  cudaEventRecord(done, first);
  cudaEventDestroy(done);
  cudaStreamWaitEvent(second, done, 0);
  set<<<1, 1, 0, second>>>(1, 2);
  cudaDeviceSynchronize();
  printf("%d %d\n", values[0], values[1]);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
