// Subtracts from each element the one before it, through a tile in shared memory.
#include <cstdio>
#include <vector>

constexpr int threads = 128;

__global__ void differences(const int* in, int* out) {
  __shared__ int tile[threads];
  const int i = blockIdx.x * threads + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  if (threadIdx.x > 0) {
    out[i] = tile[threadIdx.x] - tile[threadIdx.x - 1];
  } else {
    out[i] = i > 0 ? in[i] - in[i - 1] : in[i];
  }
}

int main() {
  const int n = 2 * threads;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i * i;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  differences<<<2, threads>>>(in, out);
  cudaMemcpy(host.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[1], host[n - 1]);
  cudaFree(in);
  cudaFree(out);
}
