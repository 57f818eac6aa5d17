// How much processor time one launch takes, from the host's call to the end of the kernel.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <ctime>

inline void expect(bool is_right, const char* what) {
  if (is_right) return;
  std::fprintf(stderr, "%s is wrong\n", what);
  std::exit(1);
}

// Prints what check_bench reads: milliseconds summed over all processors. Times only the first
// launch, since a checked program runs as it is.
template <typename Launch>
void print_kernel_time(Launch launch) {
  const std::clock_t begin = std::clock();
  launch();
  expect(cudaDeviceSynchronize() == cudaSuccess, "the launch");
  std::printf("%.3f\n", 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
}
