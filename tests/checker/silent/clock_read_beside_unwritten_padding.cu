// A kernel reads the clock and copies structs with unwritten padding.
#include <cstdio>

struct sample {
  char channel;
  long long time;
};

__global__ void take(sample* samples) {
  samples[threadIdx.x].channel = 'a';
  samples[threadIdx.x].time = clock64();
}

__global__ void keep(const sample* from, sample* to, long long* latest) {
  to[threadIdx.x] = from[threadIdx.x];
  if (clock64() > from[threadIdx.x].time) latest[threadIdx.x] = clock64();
}

int main() {
  sample *taken, *kept, host[32];
  long long* latest;
  cudaMalloc(&taken, sizeof(host));
  cudaMalloc(&kept, sizeof(host));
  cudaMalloc(&latest, 32 * sizeof(long long));
  take<<<1, 32>>>(taken);
  keep<<<1, 32>>>(taken, kept, latest);
  cudaMemcpy(host, kept, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%c\n", host[31].channel);
  cudaFree(taken);
  cudaFree(kept);
  cudaFree(latest);
}
