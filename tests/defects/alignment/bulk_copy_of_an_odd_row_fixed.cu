// Sums the rows of a matrix with padded rows; each block loads its row with one bulk copy.
#include <cstdint>
#include <cstdio>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int rows = 4;
constexpr int columns = 32;
constexpr int pitch = columns + 4;
__managed__ int sums[rows];

__global__ void sum_row(const int* matrix) {
  __shared__ alignas(16) int row[columns];
  __shared__ std::uint64_t arrived;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&arrived, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &arrived,
                                   sizeof row);
    const int* const from = matrix + blockIdx.x * pitch;
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, row, from, sizeof row, &arrived);
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&arrived, 0)) {
  }
  atomicAdd(&sums[blockIdx.x], row[threadIdx.x]);
}

int main() {
  int host[rows * pitch];
  for (int i = 0; i < rows * pitch; ++i) host[i] = i / pitch;
  int* matrix;
  cudaMalloc(&matrix, sizeof host);
  cudaMemcpy(matrix, host, sizeof host, cudaMemcpyHostToDevice);
  sum_row<<<rows, columns>>>(matrix);
  cudaDeviceSynchronize();
  printf("%d %d\n", sums[1], sums[rows - 1]);
  cudaFree(matrix);
}
