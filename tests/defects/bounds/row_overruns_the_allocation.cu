// Clears the keys of every row.
#include <cstdio>

struct row {
  int keys[4];
};

__global__ void clear(row* rows) {
  for (int i = 0; i < 32; ++i) {
    int* keys = rows[i].keys;
    for (int k = 0; k <= 4; ++k) keys[k] = 0;
  }
}

int main() {
  row* rows;
  cudaMalloc(&rows, 32 * sizeof(row));
  clear<<<1, 1>>>(rows);
  row last;
  cudaMemcpy(&last, rows + 31, sizeof(row), cudaMemcpyDeviceToHost);
  printf("%d\n", last.keys[3]);
  cudaFree(rows);
}
