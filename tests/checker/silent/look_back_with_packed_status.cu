// Decoupled look-back: status and value share one word, so no fence is needed.
#include <cstdio>

constexpr int blocks = 4;
using status = unsigned long long;
constexpr status has_sum = 1ull << 32, has_prefix = 2ull << 32;
__device__ status states[blocks];
__managed__ unsigned prefixes[blocks];

__global__ void scan() {
  const int block = blockIdx.x;
  const unsigned sum = 10 * (block + 1);
  unsigned before = 0;
  atomicExch(&states[block], (block == 0 ? has_prefix : has_sum) | sum);
  for (int other = block - 1; other >= 0;) {
    const status seen = *static_cast<volatile status*>(&states[other]);
    if (seen == 0) continue;
    before += static_cast<unsigned>(seen);
    if (seen >= has_prefix) break;
    --other;
  }
  if (block > 0) atomicExch(&states[block], has_prefix | (before + sum));
  prefixes[block] = before + sum;
}

int main() {
  scan<<<blocks, 1>>>();
  cudaDeviceSynchronize();
  printf("%u %u\n", prefixes[0], prefixes[blocks - 1]);
}
