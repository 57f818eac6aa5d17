// Finds which lanes hold equal keys; lanes without a key do not take part.
#include <cstdio>

__managed__ int keys[32];
__managed__ unsigned peers[32];

__global__ void find_peers() {
  const int lane = threadIdx.x;
  const int key = keys[lane];
  const unsigned with_key = __ballot_sync(0xffffffff, key >= 0);
  if (key >= 0) {
    peers[lane] = __match_any_sync(0xffffffff, key);
  }
  const int missing = 32 - __popc(with_key);
  __syncwarp();
  if (missing > 16) peers[lane] = 0;
}

int main() {
  for (int i = 0; i < 32; ++i) keys[i] = i % 5 == 0 ? -1 : i % 3;
  find_peers<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%08x %08x\n", peers[1], peers[2]);
}
