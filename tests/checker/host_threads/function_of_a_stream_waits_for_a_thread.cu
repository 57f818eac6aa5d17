// A host function in a stream waits for a host thread, which first waits for
// another stream.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool may_go_on = false;

__global__ void set(int* value, int to) { *value = to; }

void CUDART_CB await(void*) {
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return may_go_on; });
}

int main() {
  int* values;
  cudaMallocManaged(&values, 2 * sizeof(int));
  cudaStream_t waiting, helping;
  cudaStreamCreateWithFlags(&waiting, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&helping, cudaStreamNonBlocking);
  cudaLaunchHostFunc(waiting, await, nullptr);
  set<<<1, 1, 0, waiting>>>(&values[0], 1);
  std::thread helper([&] {
    set<<<1, 1, 0, helping>>>(&values[1], 2);
    cudaStreamSynchronize(helping);
    const std::lock_guard lock(mutex);
    may_go_on = true;
    changed.notify_one();
  });
  cudaStreamSynchronize(waiting);
  helper.join();
  std::printf("%d %d\n", values[0], values[1]);
  cudaStreamDestroy(waiting);
  cudaStreamDestroy(helping);
  cudaFree(values);
}
