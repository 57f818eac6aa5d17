// Climbs the ladder: runs every step on the same ten million floats, checks each sum and prints how
// long the step takes. `ladder COUNT` sums COUNT floats instead.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <vector>

#include "steps.cuh"

namespace {

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::printf("CUDA failed: %s\n", cudaGetErrorString(status));
  std::exit(1);
}

// Integers from -8 to 7, so small that no order of additions rounds: a sum is right or wrong.
float value_at(int i) {
  const unsigned bits = static_cast<unsigned>(i) * 2654435769u;
  return static_cast<float>(static_cast<int>(bits >> 28) - 8);
}

struct step {
  const char* name;
  bool adds_to_result;  // so the result must be 0 before the launch
  std::function<void()> launch;
};

// Microseconds for one launch, the best of several.
double time_of(const std::function<void()>& launch) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  float best = std::numeric_limits<float>::max();
  for (int run = 0; run < 5; ++run) {
    check(cudaEventRecord(begin));
    launch();
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end));
    best = std::fmin(best, milliseconds);
  }
  check(cudaEventDestroy(begin));
  check(cudaEventDestroy(end));
  return 1e3 * best;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const bool is_quiet = argument_count > 2;  // `ladder COUNT -` prints no times
  const int count = argument_count > 1 ? std::atoi(arguments[1]) : 10'000'000;
  if (count < 1) {
    std::printf("usage: ladder [COUNT]   sums COUNT floats, by default ten million\n");
    return 2;
  }
  std::vector<float> host(count);
  for (int i = 0; i < count; ++i) host[i] = value_at(i);

  const auto begin = std::chrono::steady_clock::now();
  double expected = 0;
  for (const float value : host) expected += value;
  const double on_cpu =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();

  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0));
  const int blocks_for_all = (count + ladder::threads - 1) / ladder::threads;
  const int blocks_at_once =
      device.multiProcessorCount * (device.maxThreadsPerMultiProcessor / ladder::threads);
  const int blocks = blocks_for_all < blocks_at_once ? blocks_for_all : blocks_at_once;

  float *values, *parts, *sum;
  unsigned* done;
  check(cudaMalloc(&values, count * sizeof(float)));
  check(cudaMalloc(&parts, blocks * sizeof(float)));
  check(cudaMalloc(&sum, sizeof(float)));
  check(cudaMalloc(&done, sizeof(unsigned)));
  check(cudaMemset(done, 0, sizeof(unsigned)));
  check(cudaMemcpy(values, host.data(), count * sizeof(float), cudaMemcpyHostToDevice));

  using namespace ladder;
  const step steps[] = {
      {"one atomic each", true,
       [&] { one_atomic_each<<<blocks_for_all, threads>>>(values, count, sum); }},
      {"tree of spread threads", true,
       [&] { tree_of_spread_threads<<<blocks_for_all, threads>>>(values, count, sum); }},
      {"tree of first threads", true,
       [&] { tree_of_first_threads<<<blocks_for_all, threads>>>(values, count, sum); }},
      {"many for each thread", true,
       [&] { many_for_each_thread<<<blocks, threads>>>(values, count, sum); }},
      {"shuffles", true, [&] { shuffles<<<blocks, threads>>>(values, count, sum); }},
      {"vector loads", true, [&] { vector_loads<<<blocks, threads>>>(values, count, sum); }},
      {"last block finishes", false,
       [&] { last_block_finishes<<<blocks, threads>>>(values, count, parts, done, sum); }},
  };

  std::printf("%d floats", count);
  if (!is_quiet) std::printf(" on %s; on one thread of the CPU %.0f us", device.name, on_cpu);
  std::printf("\n");
  int wrong = 0;
  double first = 0;
  for (const step& one : steps) {
    const float before = one.adds_to_result ? 0 : std::nanf("");
    check(cudaMemcpy(sum, &before, sizeof(float), cudaMemcpyHostToDevice));
    one.launch();
    check(cudaGetLastError());
    float result = 0;
    check(cudaMemcpy(&result, sum, sizeof(float), cudaMemcpyDeviceToHost));
    const bool is_right = result == static_cast<float>(expected);
    wrong += !is_right;
    std::printf("  %-24s %s", one.name, is_right ? "right" : "WRONG");
    if (!is_quiet) {
      const double took = time_of(one.launch);
      if (first == 0) first = took;
      std::printf("  %9.1f us  %7.1f GB/s  %5.1f times the first", took,
                  count * sizeof(float) * 1e-3 / took, first / took);
    }
    std::printf("\n");
  }
  check(cudaFree(values));
  check(cudaFree(parts));
  check(cudaFree(sum));
  check(cudaFree(done));
  return wrong == 0 ? 0 : 1;
}
