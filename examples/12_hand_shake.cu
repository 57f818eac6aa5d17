// Two lanes of one warp talk to each other: one asks, the other answers, and each waits for the
// other without blocking it. A channel carries one value at a time; none is overwritten unread.
#include <heddle/sync/channel.cuh>

#include <cstdio>

using heddle::sync::channel;
using heddle::sync::scope;

constexpr unsigned rounds = 20;

// Both lanes are in one block, so block scope is enough. It is the cheapest scope.
struct line {
  channel<unsigned, scope::block> there, back;
};

// Each question depends on the last answer, so a lost, duplicated or stale value changes all later
// ones.
__global__ void talk(unsigned* result) {
  __shared__ line between;
  if (threadIdx.x == 0) {
    between.there.clear();
    between.back.clear();
  }
  __syncwarp();
  if (threadIdx.x == 0) {
    unsigned number = 27;
    for (unsigned i = 0; i < rounds; ++i) {
      between.there.send(number);
      number = between.back.receive();
    }
    *result = number;
  } else if (threadIdx.x == 31) {
    for (unsigned i = 0; i < rounds; ++i) {
      const unsigned asked = between.there.receive();
      between.back.send(asked % 2 == 0 ? asked / 2 : 3 * asked + 1);
    }
  }
}

int main() {
  unsigned* result;
  if (cudaMallocManaged(&result, sizeof *result) != cudaSuccess) return 1;
  *result = 0;
  talk<<<1, 32>>>(result);
  const cudaError_t status = cudaDeviceSynchronize();
  if (status != cudaSuccess) {
    printf("the kernel failed: %s\n", cudaGetErrorString(status));
    return 1;
  }
  unsigned expected = 27;
  for (unsigned i = 0; i < rounds; ++i) {
    expected = expected % 2 == 0 ? expected / 2 : 3 * expected + 1;
  }
  printf("after %u questions and answers: %u of %u\n", rounds, *result, expected);
  const bool is_right = *result == expected;
  cudaFree(result);
  return is_right ? 0 : 1;
}
