// One host thread computes on its stream. A condition variable wakes another, which uses the
// result on a second stream.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

constexpr int count = 64;

__global__ void begin(int* array) { array[threadIdx.x] = static_cast<int>(threadIdx.x); }
__global__ void go_on(int* array) { array[threadIdx.x] *= 2; }

int main() {
  int* array;
  cudaMalloc(&array, count * sizeof(int));
  std::mutex mutex;
  std::condition_variable changed;
  bool is_launched = false;
  std::thread first([&] {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    begin<<<1, count, 0, stream>>>(array);
    cudaStreamSynchronize(stream);
    {
      const std::lock_guard lock(mutex);
      is_launched = true;
      changed.notify_one();
    }
    cudaStreamDestroy(stream);
  });
  std::thread second([&] {
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return is_launched; });
    }
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    go_on<<<1, count, 0, stream>>>(array);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  });
  first.join();
  second.join();
  int results[count];
  cudaMemcpy(results, array, sizeof results, cudaMemcpyDeviceToHost);
  std::printf("%d\n", results[5]);
  cudaFree(array);
}
