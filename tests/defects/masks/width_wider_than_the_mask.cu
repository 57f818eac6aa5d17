// The first and the last tile of eight lanes each find their largest value.
#include <cstdio>

__managed__ int largest[32];

__global__ void tile_maximum() {
  const int lane = threadIdx.x;
  int value = (lane * 7) % 32;
  if (lane < 8 || lane >= 24) {
    const unsigned members = 0xffu << (lane & ~7);
    for (int distance = 8; distance > 0; distance /= 2) {
      value = max(value, __shfl_xor_sync(members, value, distance, 16));
    }
  }
  largest[lane] = value;
}

int main() {
  tile_maximum<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", largest[0], largest[31]);
}
