// A kernel in the default stream runs after one blocking stream and before another.
#include <cstdio>

__device__ int value;
__managed__ int seen;

__global__ void set() { value = 4; }
__global__ void square() { value *= value; }
__global__ void look() { seen = value; }

int main() {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  set<<<1, 1, 0, first>>>();
  square<<<1, 1>>>();
  look<<<1, 1, 0, second>>>();
  cudaStreamSynchronize(second);
  printf("%d\n", seen);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
