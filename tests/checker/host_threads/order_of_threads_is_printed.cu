// Prints the order in which host threads ran: any order is right.
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

__global__ void set(int* value) { *value = 1; }

int main() {
  std::mutex mutex;
  std::string order;
  std::vector<std::thread> all;
  for (char name : {'a', 'b', 'c', 'd'}) {
    all.emplace_back([&, name] {
      int* value;
      cudaMalloc(&value, sizeof(int));
      for (int round = 0; round < 4; ++round) {
        set<<<1, 1, 0, cudaStreamPerThread>>>(value);
        cudaStreamSynchronize(cudaStreamPerThread);
        const std::lock_guard lock(mutex);
        order += name;
      }
      cudaFree(value);
    });
  }
  for (std::thread& each : all) each.join();
  std::printf("%s\n", order.c_str());
}
