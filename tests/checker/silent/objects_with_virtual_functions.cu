// A kernel creates objects with virtual functions; later kernels use and delete them.
#include <cstdio>

constexpr int n = 64;

struct shape {
  __device__ virtual ~shape() {}
  __device__ virtual int area() const = 0;
};
struct square : shape {
  int side;
  __device__ explicit square(int wanted) : side(wanted) {}
  __device__ int area() const override { return side * side; }
};
struct flat : shape {
  __device__ int area() const override { return 0; }
};

__global__ void make(shape** all) {
  const int i = threadIdx.x;
  all[i] = i % 2 == 0 ? static_cast<shape*>(new square(i)) : new flat;
}
__global__ void add(shape** all, int* sum) { atomicAdd(sum, all[threadIdx.x]->area()); }
__global__ void remove(shape** all) { delete all[threadIdx.x]; }

int main() {
  shape** all = nullptr;
  int *sum = nullptr, host = 0, expected = 0;
  cudaMalloc(&all, n * sizeof(shape*));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  make<<<1, n>>>(all);
  add<<<1, n>>>(all, sum);
  remove<<<1, n>>>(all);
  cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i += 2) expected += i * i;
  std::printf("%d of %d\n", host, expected);
  cudaFree(all);
  cudaFree(sum);
  return host == expected ? 0 : 1;
}
