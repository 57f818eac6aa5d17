// Applies two sets of weights, uploaded one after the other.
#include <cstdio>

__constant__ float weights[4];
__managed__ float results[2][64];

__global__ void apply(int set) {
  results[set][threadIdx.x] = weights[threadIdx.x % 4] * threadIdx.x;
}

int main() {
  const float sets[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  cudaStream_t stream[2];
  for (int i = 0; i < 2; ++i) cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
  for (int i = 0; i < 2; ++i) {
    cudaStream_t mine = stream[0];
    cudaMemcpyToSymbolAsync(weights, sets[i], 16, 0, cudaMemcpyHostToDevice, mine);
    apply<<<1, 64, 0, mine>>>(i);
  }
  cudaDeviceSynchronize();
  printf("%f %f\n", results[0][63], results[1][63]);
  for (int i = 0; i < 2; ++i) cudaStreamDestroy(stream[i]);
}
