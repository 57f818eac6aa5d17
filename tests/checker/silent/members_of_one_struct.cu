// Two warps write different members of the same structs.
#include <cstdio>

struct point {
  float x;
  short layer;
  short colour;
};
__managed__ point points[32];

__global__ void write() {
  point& mine = points[threadIdx.x % 32];
  if (threadIdx.x < 32) {
    mine.x = threadIdx.x;
    mine.colour = 7;
  } else {
    mine.layer = threadIdx.x;
  }
}

int main() {
  write<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%f %d %d\n", points[31].x, points[31].layer, points[31].colour);
}
