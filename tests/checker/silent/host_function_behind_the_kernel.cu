// A host function in the same stream prints what the kernel wrote.
#include <cstdio>

__managed__ int value;

__global__ void compute() { value = 12; }

void report(void*) { printf("%d\n", value); }

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  compute<<<1, 1, 0, stream>>>();
  cudaLaunchHostFunc(stream, report, nullptr);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}
