// How long one launch takes, from the host's call to the end of the kernel.
#pragma once
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>

inline void expect(bool is_right, const char* what) {
  if (is_right) return;
  std::fprintf(stderr, "%s is wrong\n", what);
  std::exit(1);
}

// Prints what check_bench reads: milliseconds by the clock, and of all processors together. One
// launch only, the first: a program that is checked is run as it is.
template <typename Launch>
void print_kernel_time(Launch launch) {
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t processor_begin = std::clock();
  launch();
  expect(cudaDeviceSynchronize() == cudaSuccess, "the launch");
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  const double processor = 1e3 * static_cast<double>(std::clock() - processor_begin);
  std::printf("%.3f %.3f\n", took.count(), processor / CLOCKS_PER_SEC);
}
