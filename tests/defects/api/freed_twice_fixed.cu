// Two owners share one buffer.
#include <cstdio>

struct owner {
  int* memory = nullptr;
  void release() {
    if (--*users == 0) cudaFree(memory);
  }
  int* users = nullptr;
};

int main() {
  int* buffer;
  cudaMalloc(&buffer, 256);
  cudaMemset(buffer, 0, 256);
  int users = 2;
  owner first{buffer, &users}, second{buffer, &users};
  first.release();
  second.release();
  printf("released\n");
}
