// Doubles values in a stream; a host function wakes the host thread when they are back.
#include <condition_variable>
#include <cstdio>
#include <mutex>

constexpr int n = 64;

__global__ void double_all(int* values) { values[threadIdx.x] *= 2; }

std::mutex mutex;
std::condition_variable arrived;
bool is_done = false;

void tell(void*) {
  const std::lock_guard lock(mutex);
  is_done = true;
  arrived.notify_one();
}

int main() {
  int *values = nullptr, *host = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMallocHost(&host, n * sizeof(int));
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaStream_t working, other;
  cudaStreamCreate(&working);
  cudaStreamCreate(&other);
  cudaMemcpyAsync(values, host, n * sizeof(int), cudaMemcpyHostToDevice, working);
  double_all<<<1, n, 0, working>>>(values);
  cudaMemcpyAsync(host, values, n * sizeof(int), cudaMemcpyDeviceToHost, working);
  cudaLaunchHostFunc(working, tell, nullptr);
  {
    std::unique_lock lock(mutex);
    arrived.wait(lock, [] { return is_done; });
  }
  const int last = host[n - 1];
  std::printf("%d\n", last);
  cudaDeviceSynchronize();
  cudaStreamDestroy(working);
  cudaStreamDestroy(other);
  cudaFree(values);
  cudaFreeHost(host);
}
