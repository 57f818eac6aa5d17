// Two owners share one buffer.
#include <cstdio>

struct owner {
  int* memory = nullptr;
  void release() { cudaFree(memory); }
};

int main() {
  int* buffer;
  cudaMalloc(&buffer, 256);
  cudaMemset(buffer, 0, 256);
  owner first{buffer}, second{buffer};
  first.release();
  second.release();
  printf("released\n");
}
