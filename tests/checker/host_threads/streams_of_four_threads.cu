// Four host threads sum parts of an array, each on its own stream, and wait at the same time.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

constexpr int threads = 4;
constexpr int count = 64;
constexpr int rounds = 5;

__global__ void fill(int* part, int value) { part[threadIdx.x] = value; }
__global__ void add(const int* part, int* sum) { atomicAdd(sum, part[threadIdx.x]); }

int main() {
  int *array, *sums;
  cudaMalloc(&array, threads * count * sizeof(int));
  cudaMallocManaged(&sums, threads * sizeof(int));
  for (int i = 0; i < threads; ++i) sums[i] = 0;
  std::mutex mutex;
  std::condition_variable changed;
  long total = 0;
  int at_work = threads;
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) {
    all.emplace_back([&, i] {
      cudaStream_t stream;
      cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
      int* const part = array + i * count;
      for (int round = 0; round < rounds; ++round) {
        fill<<<1, count, 0, stream>>>(part, i + round);
        add<<<1, count, 0, stream>>>(part, &sums[i]);
        cudaStreamSynchronize(stream);
        const std::lock_guard lock(mutex);
        total += sums[i];
      }
      cudaStreamDestroy(stream);
      const std::lock_guard lock(mutex);
      --at_work;
      changed.notify_one();
    });
  }
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return at_work == 0; });
  }
  for (std::thread& each : all) each.join();
  std::printf("%ld\n", total);
  cudaFree(array);
  cudaFree(sums);
}
