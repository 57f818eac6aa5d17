// Random work on several streams: kernels, copies, fills, events, host functions, waits.
//   random_streams SEED
// Some of it races.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

constexpr int streams = 3;
constexpr int buffers = 4;
constexpr int count = 64;

__global__ void add(int* to, const int* from) { to[threadIdx.x] += from[threadIdx.x]; }
__global__ void scale(int* values) { values[threadIdx.x] *= 3; }

void CUDART_CB note(void* where) { ++*static_cast<int*>(where); }

int main(int, char** arguments) {
  const unsigned seed = static_cast<unsigned>(std::strtoul(arguments[1], nullptr, 10));
  std::mt19937 random(seed);
  const auto below = [&](unsigned limit) { return random() % limit; };

  cudaStream_t stream[streams];
  cudaEvent_t event[streams];
  int *device[buffers], *pinned[buffers], notes = 0;
  for (int i = 0; i < streams; ++i) {
    cudaStreamCreateWithFlags(&stream[i], i == 0 ? cudaStreamDefault : cudaStreamNonBlocking);
    cudaEventCreate(&event[i]);
  }
  for (int i = 0; i < buffers; ++i) {
    cudaMalloc(&device[i], count * sizeof(int));
    cudaMallocHost(&pinned[i], count * sizeof(int));
    for (int k = 0; k < count; ++k) pinned[i][k] = k;
    cudaMemset(device[i], 1, count * sizeof(int));
  }
  cudaDeviceSynchronize();

  for (int step = 0; step < 24; ++step) {
    const unsigned which = below(streams);
    const cudaStream_t on = stream[which];
    int* const one = device[below(buffers)];
    int* const other = device[below(buffers)];
    int* const host = pinned[below(buffers)];
    switch (below(10)) {
      case 0:
        add<<<1, count, 0, on>>>(one, other);
        break;
      case 1:
        scale<<<1, count, 0, on>>>(one);
        break;
      case 2:
        cudaMemcpyAsync(one, host, count * sizeof(int), cudaMemcpyHostToDevice, on);
        break;
      case 3:
        cudaMemcpyAsync(host, one, count * sizeof(int), cudaMemcpyDeviceToHost, on);
        break;
      case 4:
        cudaMemsetAsync(one, 0, count * sizeof(int), on);
        break;
      case 5:
        cudaEventRecord(event[which], on);
        break;
      case 6:
        cudaStreamWaitEvent(on, event[below(streams)], 0);
        break;
      case 7:
        cudaEventSynchronize(event[below(streams)]);
        break;
      case 8:
        cudaLaunchHostFunc(on, note, &notes);
        break;
      default:
        if (below(3) == 0) cudaStreamSynchronize(on);
    }
  }
  cudaDeviceSynchronize();
  long long sum = notes;
  for (const int* each : pinned) {
    for (int k = 0; k < count; ++k) sum += each[k];
  }
  std::printf("%lld\n", sum);
  for (int i = 0; i < streams; ++i) {
    cudaStreamDestroy(stream[i]);
    cudaEventDestroy(event[i]);
  }
  for (int i = 0; i < buffers; ++i) {
    cudaFree(device[i]);
    cudaFreeHost(pinned[i]);
  }
}
