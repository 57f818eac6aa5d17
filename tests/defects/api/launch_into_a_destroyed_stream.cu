// Runs two steps in one stream.
#include <cstdio>

__managed__ int steps;

__global__ void step() { steps += 1; }

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  step<<<1, 1, 0, stream>>>();
  cudaStreamDestroy(stream);
  step<<<1, dim3(1), 0, stream>>>();
  cudaDeviceSynchronize();
  printf("%d\n", steps);
}
