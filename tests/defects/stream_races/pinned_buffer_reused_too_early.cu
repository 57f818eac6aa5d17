// Uploads two rows through one pinned staging buffer.
#include <cstdio>

constexpr int columns = 256;

int main() {
  int *staging, *rows;
  cudaMallocHost(&staging, columns * sizeof(int));
  cudaMalloc(&rows, 2 * columns * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int row = 0; row < 2; ++row) {
    for (int i = 0; i < columns; ++i) staging[i] = row * columns + i;
    int* target = rows + row * columns;
    cudaMemcpyAsync(target, staging, columns * sizeof(int), cudaMemcpyDefault, stream);
  }
  cudaStreamSynchronize(stream);
  int first, last;
  cudaMemcpy(&first, rows, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&last, rows + 2 * columns - 1, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d %d\n", first, last);
  cudaStreamDestroy(stream);
  cudaFreeHost(staging);
  cudaFree(rows);
}
