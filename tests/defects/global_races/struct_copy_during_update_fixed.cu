// Moves every particle towards the next one.
#include <cstdio>

struct particle {
  float x, y, z, mass;
};
constexpr int count = 64;
__managed__ particle particles[count];
__managed__ particle moved[count];

__global__ void attract() {
  const int i = threadIdx.x;
  const particle other = particles[(i + 1) % count];
  moved[i] = particles[i];
  moved[i].x += 0.5f * (other.x - particles[i].x);
}

int main() {
  for (int i = 0; i < count; ++i) particles[i].x = i;
  attract<<<1, count>>>();
  cudaDeviceSynchronize();
  printf("%f %f\n", moved[0].x, moved[count - 1].x);
}
