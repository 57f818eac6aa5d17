// Runs two steps in two streams; an event makes the second step wait for the first.
#include <cstdio>

__managed__ float field[128];

__global__ void first_step() { field[threadIdx.x] += 1.0f; }

__global__ void second_step() { field[127 - threadIdx.x] *= 2.0f; }

int main() {
  cudaStream_t left, right;
  cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking);
  cudaEvent_t done;
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  cudaEventRecord(done, left);
  first_step<<<1, 128, 0, left>>>();
  cudaStreamWaitEvent(right, done, 0);
  second_step<<<1, 128, 0, right>>>();
  cudaDeviceSynchronize();
  printf("%f\n", field[0]);
  cudaEventDestroy(done);
  cudaStreamDestroy(left);
  cudaStreamDestroy(right);
}
