// Sends a matrix, with its size and its cells, to the device and sums its cells.
#include <cstdio>

struct matrix {
  int rows, columns;
  float* cells;
};
__managed__ float sum;

__global__ void add_cells(const matrix* m) {
  const int i = threadIdx.x;
  if (i < m->rows * m->columns) atomicAdd(&sum, m->cells[i]);
}

int main() {
  float cells[32];
  for (float& cell : cells) cell = 0.5f;
  matrix host{4, 8, cells};
  matrix* m;
  cudaMalloc(&m, sizeof(matrix));
  cudaMemcpy(m, &host, sizeof(matrix), cudaMemcpyHostToDevice);
  add_cells<<<1, 32>>>(m);
  cudaDeviceSynchronize();
  printf("%f\n", sum);
  cudaFree(m);
}
