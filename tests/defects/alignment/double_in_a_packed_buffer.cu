// Fills a buffer with packets, each an int followed by a double.
#include <cstdio>

constexpr int packet_bytes = sizeof(int) + sizeof(double);

__global__ void pack(unsigned char* packets) {
  unsigned char* packet = packets + threadIdx.x * packet_bytes;
  *reinterpret_cast<int*>(packet) = threadIdx.x;
  *reinterpret_cast<double*>(packet + sizeof(int)) = 0.5 * threadIdx.x;
}

int main() {
  unsigned char* packets;
  cudaMalloc(&packets, 32 * packet_bytes);
  pack<<<1, 32>>>(packets);
  double last;
  const unsigned char* end = packets + 32 * packet_bytes;
  cudaMemcpy(&last, end - sizeof(double), sizeof(double), cudaMemcpyDeviceToHost);
  printf("%f\n", last);
  cudaFree(packets);
}
