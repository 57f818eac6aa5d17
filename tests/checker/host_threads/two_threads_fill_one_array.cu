// Two host threads fill an array, one after the other.
#include <cstdio>
#include <thread>

constexpr int count = 64;

__global__ void fill_ones(int* array) { array[threadIdx.x] = 1; }
__global__ void fill_twos(int* array) { array[threadIdx.x] = 2; }

int main() {
  int* array;
  cudaMalloc(&array, count * sizeof(int));
  std::thread first([&] {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    fill_ones<<<1, count, 0, stream>>>(array);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  });
  std::thread second([&] {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    fill_twos<<<1, count, 0, stream>>>(array);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  });
  first.join();
  second.join();
  int results[count];
  cudaMemcpy(results, array, sizeof results, cudaMemcpyDeviceToHost);
  std::printf("%d\n", results[0]);
  cudaFree(array);
}
