// Moves every particle towards the next one.
#include <cstdio>

struct particle {
  float x, y, z, mass;
};
constexpr int count = 64;
__managed__ particle particles[count];

__global__ void attract() {
  const int i = threadIdx.x;
  const particle other = particles[(i + 1) % count];
  particles[i].x += 0.5f * (other.x - particles[i].x);
}

int main() {
  for (int i = 0; i < count; ++i) particles[i].x = i;
  attract<<<1, count>>>();
  cudaDeviceSynchronize();
  printf("%f %f\n", particles[0].x, particles[count - 1].x);
}
