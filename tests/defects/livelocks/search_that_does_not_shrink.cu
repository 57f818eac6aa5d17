// Finds, for each key, the last place whose value is not above the key, by binary search.
#include <cstdio>

constexpr int n = 64;
__managed__ int values[n], places[n];

__global__ void search() {
  const int key = 3 * threadIdx.x + 1;
  int low = 0;
  int high = n - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (values[middle] <= key) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  places[threadIdx.x] = low;
}

int main() {
  for (int i = 0; i < n; ++i) values[i] = 3 * i;
  search<<<1, n>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", places[0], places[n - 1]);
}
