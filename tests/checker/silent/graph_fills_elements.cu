// A graph fills memory with elements of two and four bytes, in rows; then a kernel adds to it.
#include <cstdio>

constexpr int width = 24, height = 3;

__global__ void add(const unsigned* words, const unsigned short* halves, std::size_t pitch,
                    unsigned* sum) {
  for (int row = 0; row < height; ++row) {
    const char* const begin = reinterpret_cast<const char*>(halves) + row * pitch;
    atomicAdd(sum, words[threadIdx.x]);
    atomicAdd(sum, reinterpret_cast<const unsigned short*>(begin)[threadIdx.x]);
  }
}

int main() {
  unsigned *words = nullptr, *sum = nullptr, host = 0;
  unsigned short* halves = nullptr;
  std::size_t pitch = 0;
  cudaMalloc(&words, width * sizeof(unsigned));
  cudaMallocPitch(&halves, &pitch, width * sizeof(unsigned short), height);
  cudaMalloc(&sum, sizeof(unsigned));
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  const cudaMemsetParams fills[] = {
      {words, 0, 70000, 4, width, 1}, {halves, pitch, 7, 2, width, height}, {sum, 0, 0, 4, 1, 1}};
  cudaGraphNode_t nodes[3], last;
  for (int i = 0; i < 3; ++i) cudaGraphAddMemsetNode(&nodes[i], graph, nullptr, 0, &fills[i]);
  void* arguments[] = {&words, &halves, &pitch, &sum};
  cudaKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void*>(add);
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(width);
  kernel.kernelParams = arguments;
  cudaGraphAddKernelNode(&last, graph, nodes, 3, &kernel);
  cudaGraphExec_t ready;
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, nullptr);
  cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%u of %u\n", host, height * width * 70007u);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaFree(words);
  cudaFree(halves);
  cudaFree(sum);
  return host == height * width * 70007u ? 0 : 1;
}
