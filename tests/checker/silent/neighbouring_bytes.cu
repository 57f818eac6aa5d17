// Every thread writes one byte of a word that four threads share; nothing orders them.
#include <cstdio>

__managed__ unsigned char text[65];

__global__ void write() {
  __shared__ unsigned char letters[64];
  letters[threadIdx.x] = 'a' + threadIdx.x % 26;
  text[63 - threadIdx.x] = letters[threadIdx.x];
}

int main() {
  write<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%.8s\n", reinterpret_cast<const char*>(text));
}
