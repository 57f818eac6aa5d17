// Counts the entries of each row of a sparse matrix from its row offsets.
#include <cstdio>

constexpr int rows = 32;

__global__ void write_offsets(int* offsets) {
  const int row = threadIdx.x;
  if (row < rows) offsets[row] = row * row;
}

__global__ void count_entries(const int* offsets, int* lengths) {
  const int row = threadIdx.x;
  lengths[row] = offsets[row + 1] - offsets[row];
}

int main() {
  int *offsets, *lengths;
  cudaMalloc(&offsets, (rows + 1) * sizeof(int));
  cudaMalloc(&lengths, rows * sizeof(int));
  write_offsets<<<1, 64>>>(offsets);
  count_entries<<<1, rows>>>(offsets, lengths);
  int host[rows];
  cudaMemcpy(host, lengths, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[0], host[rows - 1]);
  cudaFree(offsets);
  cudaFree(lengths);
}
