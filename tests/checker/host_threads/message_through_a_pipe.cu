// A host thread waits for another one by reading from a pipe.
#include <unistd.h>

#include <cstdio>
#include <thread>

__global__ void set(int* value) { *value = 5; }

int main() {
  int ends[2];
  if (pipe(ends) != 0) return 1;
  int* value;
  cudaMallocManaged(&value, sizeof(int));
  std::thread writer([&] {
    set<<<1, 1>>>(value);
    cudaDeviceSynchronize();
    const char byte = static_cast<char>(*value);
    if (write(ends[1], &byte, 1) != 1) std::abort();
  });
  char byte = 0;
  if (read(ends[0], &byte, 1) != 1) return 1;
  writer.join();
  std::printf("%d\n", byte);
  cudaFree(value);
}
