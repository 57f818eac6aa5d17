// Lanes that found something share the warp's work evenly.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;
__managed__ int shares[32];

__global__ void share_work(int work) {
  const bool has_found = threadIdx.x % 3 == 0;
  if (has_found) {
    const auto finders = cg::coalesced_threads();
    shares[threadIdx.x] = work / finders.size();
  }
}

int main() {
  share_work<<<1, 32>>>(110);
  cudaDeviceSynchronize();
  printf("%d\n", shares[0]);
}
