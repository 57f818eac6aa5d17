// A test that calls the checker: the kernel is right in every order of its lanes, and the version
// without a barrier has a race. Build it with `heddle cc --check`.
#include <heddle_check/check.hpp>

#include <cstdio>

template <bool has_barrier>
__global__ void reverse(int* values) {
  __shared__ int tile[64];
  tile[threadIdx.x] = values[threadIdx.x];
  if (has_barrier) __syncthreads();
  values[threadIdx.x] = tile[63 - threadIdx.x];
}

// The checker runs this several times, so it sets up the same values each time.
template <bool has_barrier>
void reverse_64() {
  int numbers[64];
  for (int i = 0; i < 64; ++i) numbers[i] = i;
  int* values;
  cudaMalloc(&values, sizeof numbers);
  cudaMemcpy(values, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  reverse<has_barrier><<<1, 64>>>(values);
  cudaDeviceSynchronize();
  cudaFree(values);
}

int main() {
  const auto none = heddle::host::check([] { reverse_64<true>(); });
  printf("with the barrier: %zu findings\n", none.size());

  // Throws unless there is a finding of this kind and none of any other.
  const auto found = heddle::host::expect_defect("race", [] { reverse_64<false>(); });
  for (const auto& one : found) {
    printf("without it: %s\n", one.kind.c_str());
    for (const auto& side : one.places) printf("  line %d %s\n", side.line, side.role.c_str());
  }
  return none.empty() ? 0 : 1;
}
