// Divides every element of a row by the row's sum.
#include <cstdio>

constexpr int row_length = 256;

__global__ void normalise(float* row) {
  __shared__ float partial[row_length];
  partial[threadIdx.x] = row[threadIdx.x];
  for (int stride = row_length / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) {
      partial[threadIdx.x] += partial[threadIdx.x + stride];
    }
  }
  row[threadIdx.x] /= partial[0];
}

int main() {
  float host[row_length];
  for (int i = 0; i < row_length; ++i) host[i] = 1.0f;
  float* row;
  cudaMalloc(&row, sizeof(host));
  cudaMemcpy(row, host, sizeof(host), cudaMemcpyHostToDevice);
  normalise<<<1, row_length>>>(row);
  cudaMemcpy(host, row, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f %f\n", host[0], host[row_length - 1]);
  cudaFree(row);
}
