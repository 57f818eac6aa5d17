// Random work of host threads that have a stream each: kernels, copies, locks, condition variables,
// waits, threads that start other threads.
//   random_threads SEED
// Some of it races.
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

constexpr int buffers = 3;
constexpr int count = 32;
constexpr int most_threads = 5;

__global__ void add(int* to, const int* from) { to[threadIdx.x] += from[threadIdx.x]; }
__global__ void scale(int* values) { values[threadIdx.x] *= 3; }
__global__ void tally(int* values, int* sum) { atomicAdd(sum, values[threadIdx.x]); }

int *device[buffers], *pinned, *shared_sum;
std::mutex mutex;
std::condition_variable changed;
int tokens = 0, begun = 0, running = 0, waiting = 0;
std::string order;  // of the steps

class worker {
 public:
  worker(unsigned seed, int number) : random_(seed * 16 + number), number_(number) {
    cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
    own_ = device[below(buffers)];
  }
  ~worker() {
    for (std::thread& each : others_) each.join();
    cudaStreamDestroy(stream_);
  }
  void run(unsigned seed) {
    {
      const std::lock_guard lock(mutex);
      ++running;
    }
    for (int i = 0; i < 10; ++i) step(seed);
    cudaStreamSynchronize(stream_);
    const std::lock_guard lock(mutex);
    --running;
    changed.notify_all();
  }

 private:
  unsigned below(unsigned limit) { return random_() % limit; }
  void step(unsigned seed) {
    int* const other = device[below(buffers)];
    switch (below(10)) {
      case 0:
        add<<<1, count, 0, stream_>>>(own_, other);
        break;
      case 1:
        scale<<<1, count, 0, stream_>>>(own_);
        break;
      case 2:
        tally<<<1, count, 0, stream_>>>(own_, shared_sum);
        break;
      case 3:
        cudaMemcpyAsync(pinned, own_, count * sizeof(int), cudaMemcpyDeviceToHost, stream_);
        break;
      case 4:
        cudaStreamSynchronize(stream_);
        break;
      case 5: {
        const std::lock_guard lock(mutex);
        ++tokens;
        changed.notify_one();
        break;
      }
      case 6: {
        std::unique_lock lock(mutex);
        ++waiting;
        changed.wait(lock, [] { return tokens > 0 || waiting >= running; });
        --waiting;
        if (tokens > 0) --tokens;
        break;
      }
      case 7:
        if (below(2) == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::this_thread::yield();
        break;
      case 8:
        begin_another(seed);
        break;
      default:
        own_ = other;
    }
    const std::lock_guard lock(mutex);
    order += static_cast<char>('a' + number_);
  }
  void begin_another(unsigned seed) {
    int number = 0;
    {
      const std::lock_guard lock(mutex);
      if (begun == most_threads) return;
      number = begun++;
    }
    others_.emplace_back([seed, number] { worker(seed, number).run(seed); });
  }

  std::mt19937 random_;
  int number_;
  cudaStream_t stream_;
  int* own_;
  std::vector<std::thread> others_;
};

int main(int, char** arguments) {
  const unsigned seed = static_cast<unsigned>(std::strtoul(arguments[1], nullptr, 10));
  for (int*& each : device) {
    cudaMalloc(&each, count * sizeof(int));
    cudaMemset(each, 1, count * sizeof(int));
  }
  cudaMallocHost(&pinned, count * sizeof(int));
  cudaMallocManaged(&shared_sum, sizeof(int));
  for (int i = 0; i < count; ++i) pinned[i] = i;
  *shared_sum = 0;
  cudaDeviceSynchronize();
  begun = 2;
  std::thread second([&] { worker(seed, 1).run(seed); });
  worker(seed, 0).run(seed);
  second.join();
  cudaDeviceSynchronize();
  long long sum = *shared_sum;
  for (int i = 0; i < count; ++i) sum += pinned[i];
  std::printf("%s %d %lld\n", order.c_str(), tokens, sum);
  for (int* each : device) cudaFree(each);
  cudaFreeHost(pinned);
  cudaFree(shared_sum);
}
