// The host waits for host functions in a stream: with a condition variable, by polling an atomic,
// and by joining a thread that the function starts.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

constexpr int n = 64;

__global__ void double_all(int* values) { values[threadIdx.x] *= 2; }

struct message {
  std::mutex mutex;
  std::condition_variable arrived;
  int count = 0;

  void send() {
    const std::lock_guard lock(mutex);
    ++count;
    arrived.notify_one();
  }
  void await(int wanted) {
    std::unique_lock lock(mutex);
    arrived.wait(lock, [&] { return count >= wanted; });
  }
};

message results;
std::atomic<bool> is_done{false};
std::thread successor;

int main() {
  int *values = nullptr, *host = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMallocHost(&host, n * sizeof(int));
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  const auto double_once = [&](cudaHostFn_t then) {
    cudaMemcpyAsync(values, host, n * sizeof(int), cudaMemcpyHostToDevice, stream);
    double_all<<<1, n, 0, stream>>>(values);
    cudaMemcpyAsync(host, values, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaLaunchHostFunc(stream, then, nullptr);
  };
  double_once([](void*) { results.send(); });
  results.await(1);
  std::printf("%d\n", host[n - 1]);
  double_once([](void*) { is_done = true; });
  while (!is_done) {
  }
  std::printf("%d\n", host[n - 1]);
  double_once([](void*) { successor = std::thread([] { results.send(); }); });
  results.await(2);
  successor.join();
  std::printf("%d\n", host[n - 1]);
  const bool is_right = host[n - 1] == (n - 1) * 8;
  cudaStreamDestroy(stream);
  cudaFree(values);
  cudaFreeHost(host);
  return is_right ? 0 : 1;
}
