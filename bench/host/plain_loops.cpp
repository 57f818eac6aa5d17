// Plain loops: ordinary C++ in a file without CUDA code.
#include "plain_loops.hpp"

void add_plainly(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ sum,
                 int n) {
  for (int i = 0; i < n; ++i) sum[i] = a[i] + b[i];
}

void sum_with_stride_plainly(const float* values, float* sums, int threads, int n) {
  for (int thread = 0; thread < threads; ++thread) {
    float sum = 0;
    for (int i = thread; i < n; i += threads) sum += values[i];
    sums[thread] = sum;
  }
}

float sum_plainly(const float* values, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i];
  return sum;
}
