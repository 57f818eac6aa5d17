// Breadth-first search of a graph of 64 K vertices with eight edges each, one launch per level.
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "kernel_time.cuh"

constexpr int vertices = 1 << 16;
constexpr int degree = 8;
constexpr int far = 1 << 30;

__global__ void visit(const int* edges, int* levels, const int* now, int count, int level,
                      int* next, int* next_count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int vertex = now[i];
  for (int edge = 0; edge < degree; ++edge) {
    const int other = edges[vertex * degree + edge];
    if (atomicCAS(&levels[other], far, level) == far) next[atomicAdd(next_count, 1)] = other;
  }
}

std::vector<int> levels_by_a_queue(const std::vector<int>& edges) {
  std::vector<int> levels(vertices, far);
  std::queue<int> waiting;
  levels[0] = 0;
  waiting.push(0);
  for (; !waiting.empty(); waiting.pop()) {
    const int vertex = waiting.front();
    for (int edge = 0; edge < degree; ++edge) {
      const int other = edges[vertex * degree + edge];
      if (levels[other] != far) continue;
      levels[other] = levels[vertex] + 1;
      waiting.push(other);
    }
  }
  return levels;
}

int main() {
  std::vector<int> graph(vertices * degree);
  std::uint32_t state = 1;
  for (int& each : graph) each = static_cast<int>((state = state * 1664525u + 1013904223u) >> 16);
  std::vector<int> start(vertices, far);
  start[0] = 0;
  int *edges = nullptr, *levels = nullptr, *now = nullptr, *next = nullptr, *count = nullptr;
  cudaMalloc(&edges, graph.size() * sizeof(int));
  cudaMalloc(&levels, vertices * sizeof(int));
  cudaMalloc(&now, vertices * sizeof(int));
  cudaMalloc(&next, vertices * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemcpy(edges, graph.data(), graph.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(levels, start.data(), vertices * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(now, 0, sizeof(int));
  print_kernel_time([&] {
    int found = 1;
    for (int level = 1; found != 0; ++level) {
      cudaMemset(count, 0, sizeof(int));
      visit<<<(found + 127) / 128, 128>>>(edges, levels, now, found, level, next, count);
      cudaMemcpy(&found, count, sizeof(int), cudaMemcpyDeviceToHost);
      std::swap(now, next);
    }
  });
  std::vector<int> result(vertices);
  cudaMemcpy(result.data(), levels, vertices * sizeof(int), cudaMemcpyDeviceToHost);
  expect(result == levels_by_a_queue(graph), "a level");
  for (int* each : {edges, levels, now, next, count}) cudaFree(each);
}
