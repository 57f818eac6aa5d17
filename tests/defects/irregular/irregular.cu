// Irregular graph kernels: one pattern, one way to share the work, and at most one planted defect.
//   heddle check -DPATTERN=push -DWORKER=warp -DLOOP=once -DPLANTED=atomic irregular.cu -- star 5
// Each further pair of a shape and a size is another graph; the graphs run one after another.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

enum class pattern { conditional_vertex, conditional_edge, pull, push, worklist, paths };
enum class worker { thread, warp, block };  // the threads that visit one vertex together
enum class loop { once, strided };          // one vertex per worker, or a strided loop over them
// atomic: plain update; bounds: one vertex too many; guard: plain test before the atomic update;
// race: plain read of what others change; sync: missing barrier
enum class defect { none, atomic, bounds, guard, race, sync };

#ifndef PATTERN
#define PATTERN push
#define WORKER thread
#define LOOP once
#define PLANTED none
#endif
constexpr pattern kernel_pattern = pattern::PATTERN;
constexpr worker kernel_worker = worker::WORKER;
constexpr loop kernel_loop = loop::LOOP;
constexpr defect planted = defect::PLANTED;

constexpr int threads = 64;
constexpr int members = kernel_worker == worker::thread ? 1
                        : kernel_worker == worker::warp ? 32
                                                        : threads;

// The neighbours of vertex v are target[first[v]] to target[first[v + 1] - 1].
struct graph {
  int vertices;
  const int* first;
  const int* target;
};

__device__ void meet() {
  if constexpr (kernel_worker == worker::warp) __syncwarp();
  if constexpr (kernel_worker == worker::block) __syncthreads();
}

// Returns the largest value of a worker's members to each of them.
__device__ int largest(int mine) {
  if constexpr (members == 1) {
    return mine;
  } else {
    __shared__ int values[threads];
    const int rank = threadIdx.x % members;
    int* const own = values + threadIdx.x - rank;
    own[rank] = mine;
    if constexpr (planted != defect::sync) meet();
    int all = own[0];
    for (int i = 1; i < members; ++i) all = max(all, own[i]);
    meet();
    return all;
  }
}

__device__ int read_shared(int* place) { return atomicAdd(place, 0); }

// Makes *place at least `value`.
__device__ void raise(int* place, int value) {
  if constexpr (planted == defect::atomic) {
    if (*place < value) *place = value;
  } else if constexpr (planted == defect::guard) {
    if (*place < value) atomicMax(place, value);
  } else {
    atomicMax(place, value);
  }
}

// Takes the next number of the counter; none is left if the result is `limit` or more.
__device__ int take(int* counter, int limit) {
  if constexpr (planted == defect::atomic) return (*counter)++;
  if constexpr (planted == defect::guard) {
    if (*counter >= limit) return limit;
  }
  return atomicAdd(counter, 1);
}

// Returns the root of the tree that v is in, and shortens the path to it.
__device__ int root_of(int* parent, int v) {
  for (;;) {
    const int up = planted == defect::race ? parent[v] : read_shared(&parent[v]);
    if (up == v) return v;
    const int above = read_shared(&parent[up]);
    if (above == up) return up;
    if constexpr (planted == defect::atomic) {
      parent[v] = above;
    } else {
      atomicMin(&parent[v], above);
    }
    v = above;
  }
}

// Joins the trees of both vertices; the smaller of the two roots becomes the root.
__device__ void join(int* parent, int v, int other) {
  for (;;) {
    v = root_of(parent, v);
    other = root_of(parent, other);
    if (v == other) return;
    const int low = min(v, other);
    const int high = max(v, other);
    if constexpr (planted == defect::guard) {
      if (parent[high] != high) continue;
    }
    if (atomicCAS(&parent[high], high, low) == high) return;
  }
}

__device__ void visit(graph g, int v, int* values, int* results, int* counter, int* list) {
  const int rank = threadIdx.x % members;
  const int begin = g.first[v];
  const int end = g.first[v + 1];
  if constexpr (kernel_pattern == pattern::push) {
    int* const into = planted == defect::race ? values : results;
    const int own = values[v];
    for (int e = begin + rank; e < end; e += members) raise(&into[g.target[e]], own);
  } else if constexpr (kernel_pattern == pattern::conditional_edge) {
    for (int e = begin + rank; e < end; e += members) {
      if (values[g.target[e]] >= values[v]) take(counter, 1 << 30);
    }
  } else if constexpr (kernel_pattern == pattern::paths) {
    for (int e = begin + rank; e < end; e += members) join(results, v, g.target[e]);
  } else {
    int best = 0;
    for (int e = begin + rank; e < end; e += members) best = max(best, values[g.target[e]]);
    best = largest(best);
    if (rank != 0) return;
    if constexpr (kernel_pattern == pattern::pull) {
      (planted == defect::race ? values : results)[v] = best;
    } else if constexpr (kernel_pattern == pattern::conditional_vertex) {
      if (best > 1) raise(counter, best);
    } else {
      if (best > 1) {
        const int slot = take(counter, g.vertices);
        if (slot < g.vertices) list[slot] = v;
      }
    }
  }
}

__global__ void work(graph g, int* values, int* results, int* counter, int* list) {
  const int workers = gridDim.x * blockDim.x / members;
  const int vertices = g.vertices + (planted == defect::bounds);
  int v = (blockIdx.x * blockDim.x + threadIdx.x) / members;
  if constexpr (kernel_loop == loop::once) {
    if (v < vertices) visit(g, v, values, results, counter, list);
  } else {
    for (; v < vertices; v += workers) visit(g, v, values, results, counter, list);
  }
}

std::vector<std::vector<int>> edges_of(const char* shape, int vertices) {
  std::vector<std::vector<int>> edges(vertices);
  unsigned state = 12345;
  for (int v = 1; v < vertices; ++v) {
    state = state * 1664525u + 1013904223u;
    const int other = !strcmp(shape, "star")   ? 0
                      : !strcmp(shape, "line") ? v - 1
                                               : int(state >> 8) % v;
    edges[v].push_back(other);
    edges[other].push_back(v);
  }
  return edges;
}

template <typename Values>
int* on_device(const Values& values) {
  int* copy;
  cudaMalloc(&copy, values.size() * sizeof(int));
  cudaMemcpy(copy, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice);
  return copy;
}

void run(const char* shape, int vertices) {
  std::vector<int> first = {0}, target, values, results, zeros(vertices), zero(1);
  for (const auto& some : edges_of(shape, vertices)) {
    target.insert(target.end(), some.begin(), some.end());
    first.push_back(int(target.size()));
  }
  for (int v = 0; v < vertices; ++v) values.push_back(2 + v * 7 % 5);
  results = values;
  for (int v = 0; v < vertices; ++v) results[v] = kernel_pattern == pattern::paths ? v : 0;

  int* const device[] = {on_device(first),   on_device(target), on_device(values),
                         on_device(results), on_device(zero),   on_device(zeros)};
  const int needed = (vertices + 1) * members;
  const int blocks = kernel_loop == loop::once ? (needed + threads - 1) / threads : 2;
  work<<<blocks, threads>>>(graph{vertices, device[0], device[1]}, device[2], device[3], device[4],
                            device[5]);
  int counter = 0;
  cudaMemcpy(results.data(), device[3], vertices * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&counter, device[4], sizeof(int), cudaMemcpyDeviceToHost);
  long sum = 0;
  for (int v = 0; v < vertices; ++v)
    sum += kernel_pattern == pattern::paths ? results[v] == v : results[v];
  printf("%ld %d\n", sum, counter);
  for (int* some : device) cudaFree(some);
}

int main(int count, char** words) {
  if (count < 3) run("star", 5);
  for (int word = 2; word < count; word += 2) run(words[word - 1], atoi(words[word]));
}
