// Counts the letters of a text, with a private histogram in shared memory for each block.
#include <cstdio>
#include <cstring>

__managed__ char text[] = "the quick brown fox jumps over the lazy dog and the cat sleeps";
__managed__ unsigned counts[26];

__global__ void count_letters(int length) {
  __shared__ unsigned bins[26];
  if (threadIdx.x < 26) bins[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && text[i] >= 'a') {
    bins[text[i] - 'a']++;
  }
  __syncthreads();
  if (threadIdx.x < 26) atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

int main() {
  const int length = strlen(text);
  count_letters<<<1, 64>>>(length);
  cudaDeviceSynchronize();
  printf("%u times e, %u times t\n", counts['e' - 'a'], counts['t' - 'a']);
}
