// Runs a kernel in its own stream.
#include <cstdio>

__managed__ int value;

__global__ void set() { value = 5; }

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  set<<<1, 1, 0, stream>>>();
  cudaStreamSynchronize(stream);
  printf("%d\n", value);
}
