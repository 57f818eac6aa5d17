// Writes a tag, followed by a number, into a message.
#include <cstdio>

__device__ char message[16];

__global__ void write(int number) {
  message[0] = 'n';
  *reinterpret_cast<int*>(message + 4) = number;
}

int main() {
  write<<<1, 1>>>(7);
  char text[16];
  cudaMemcpyFromSymbol(text, message, sizeof text);
  printf("%c %d\n", text[0], text[1] + text[4]);
}
