// What the CPU runtime costs, as ratios to the cost of the same work without it, in one run.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <unistd.h>

#include "bare_switches.hpp"
#include "bench_values.hpp"
#include "openmp_rows.hpp"
#include "plain_loops.hpp"

namespace {

// ---- kernels

__global__ void shuffle_often(int* results, int rounds) {
  int value = threadIdx.x;
  for (int round = 0; round < rounds; ++round) value = __shfl_xor_sync(~0u, value, 1) + 1;
  results[threadIdx.x] = value;
}

__global__ void wait_often(int rounds) {
  __syncwarp();  // so that each lane is a fiber; otherwise a barrier only ends a loop
  for (int round = 0; round < rounds; ++round) __syncthreads();
}

__global__ void block_sums(const int* values, int* sums) {
  __shared__ int partial[8];
  int sum = values[blockIdx.x * blockDim.x + threadIdx.x];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(~0u, sum, distance);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < 8 ? partial[threadIdx.x] : 0;
    for (int distance = 4; distance > 0; distance /= 2) sum += __shfl_down_sync(~0u, sum, distance);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  }
}

__global__ void add(const float* a, const float* b, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

__global__ void strided_sums(const float* values, float* sums, int n) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = thread; i < n; i += gridDim.x * blockDim.x) sum += values[i];
  sums[thread] = sum;
}

__global__ void one_warp(int* results) {
  const int neighbour = __shfl_xor_sync(~0u, static_cast<int>(threadIdx.x), 1);
  if (threadIdx.x == blockIdx.x % 32) results[blockIdx.x] = neighbour;
}

// ---- measurements

double shuffle_nanoseconds() {
  constexpr int rounds = 100'000;
  device_array<int> results(32);
  const double took = best_milliseconds([&] {
    results.poison();
    shuffle_often<<<1, 32>>>(results.get(), rounds);
    check(cudaDeviceSynchronize());
  });
  const std::vector<int> values = results.values();
  for (int lane = 0; lane < 32; ++lane) check(values[lane] == lane + rounds, "the shuffle");
  return took * 1e6 / rounds;
}

double barrier_nanoseconds() {
  constexpr int rounds = 10'000;
  return best_milliseconds([&] {
           wait_often<<<1, 256>>>(rounds);
           check(cudaDeviceSynchronize());
         }) *
         1e6 / rounds;
}

double block_sums_milliseconds() {
  constexpr int blocks = 4096;
  std::vector<int> numbers(blocks * 256);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i % 1009);
  device_array<int> values(numbers.size()), sums(blocks);
  values.put(numbers);
  const double took = best_milliseconds([&] {
    sums.poison();
    block_sums<<<blocks, 256>>>(values.get(), sums.get());
    check(cudaDeviceSynchronize());
  });
  const std::vector<int> result = sums.values();
  for (int block = 0; block < blocks; ++block) {
    int expected = 0;
    for (int i = 0; i < 256; ++i) expected += numbers[block * 256 + i];
    check(result[block] == expected, "a block's sum");
  }
  return took;
}

struct pair_of_times {
  double machine;
  double plain;
};

pair_of_times vector_add_milliseconds() {
  constexpr int n = 1 << 24;
  std::vector<float> x(n), y(n), plain(n);
  for (int i = 0; i < n; ++i) x[i] = 0.5f * i, y[i] = static_cast<float>(n - i);
  device_array<float> a(n), b(n), sum(n);
  a.put(x);
  b.put(y);
  const double machine = best_milliseconds([&] {
    add<<<n / 256, 256>>>(a.get(), b.get(), sum.get(), n);
    check(cudaDeviceSynchronize());
  });
  const double loop = best_milliseconds([&] { add_plainly(x.data(), y.data(), plain.data(), n); });
  check(sum.values() == plain, "the vector sum");
  return {machine, loop};
}

struct times_of_sum {
  double machine;
  double plain;      // one thread after another
  double in_a_line;  // element after element
};

times_of_sum strided_sum_milliseconds() {
  constexpr int n = 1 << 26;
  constexpr int threads = 64 * 256;
  std::vector<float> numbers(n), plain(threads);
  for (int i = 0; i < n; ++i) numbers[i] = static_cast<float>(i % 17);
  device_array<float> values(n), sums(threads);
  values.put(numbers);
  const double machine = best_milliseconds(
      [&] {
        sums.poison();
        strided_sums<<<64, 256>>>(values.get(), sums.get(), n);
        check(cudaDeviceSynchronize());
      },
      3);
  const double loop = best_milliseconds(
      [&] { sum_with_stride_plainly(numbers.data(), plain.data(), threads, n); }, 3);
  check(sums.values() == plain, "a strided sum");
  float total = 0;
  const double in_a_line = best_milliseconds([&] { total = sum_plainly(numbers.data(), n); }, 3);
  check(total > 0, "the plain sum");
  return {machine, loop, in_a_line};
}

double one_warp_blocks_per_second() {
  constexpr int blocks = 1'000'000;
  device_array<int> results(blocks);
  const double took = best_milliseconds(
      [&] {
        results.poison();
        one_warp<<<blocks, 32>>>(results.get());
        check(cudaDeviceSynchronize());
      },
      3);
  const std::vector<int> values = results.values();
  for (int block = 0; block < blocks; ++block) {
    check(values[block] == (block % 32 ^ 1), "a block of one warp");
  }
  return blocks / took * 1e3;
}

// Runs this program again, to measure one thing with one worker.
double with_one_worker(const char* what) {
  setenv("HEDDLE_WORKERS", "1", 1);
  char program[4096];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  check(length > 0, "the path of this program");
  program[length] = '\0';
  FILE* child = popen((std::string(program) + " --only " + what).c_str(), "r");
  double value = 0;
  check(child != nullptr && std::fscanf(child, "%lf", &value) == 1, "the child's answer");
  pclose(child);
  unsetenv("HEDDLE_WORKERS");
  return value;
}

bool as_json = false;

void row(const char* what, double ours, double other, const char* unit, double ratio,
         const char* target) {
  if (as_json) {
    std::printf(
        "{\"case\": \"%s\", \"ours\": %.6g, \"other\": %.6g, \"unit\": \"%s\", "
        "\"ratio\": %.4g, \"target\": \"%s\"}\n",
        what, ours, other, unit, ratio, target);
  } else {
    std::printf("%-58s %10.4g %10.4g %-4s %8.2f   %s\n", what, ours, other, unit, ratio, target);
  }
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 3 && std::strcmp(arguments[1], "--only") == 0) {
    const bool is_sums = std::strcmp(arguments[2], "sums") == 0;
    std::printf("%.9g\n", is_sums ? block_sums_milliseconds() : one_warp_blocks_per_second());
    return 0;
  }
  if (count == 2 && std::strcmp(arguments[1], "--json") == 0) {
    as_json = true;
  } else if (count != 1) {
    std::fprintf(stderr, "usage: host_bench [--json]\n");
    return 2;
  }
  if (!as_json) {
    int workers = 0;
    check(cudaDeviceGetAttribute(&workers, cudaDevAttrMultiProcessorCount, 0));
    std::printf("%d workers; the best of several runs\n", workers);
    std::printf("%-58s %10s %10s %-4s %8s   %s\n", "", "ours", "other", "", "ratio", "target");
  }
  const double bare_32 = bare_round_nanoseconds(32);
  const double shuffle = shuffle_nanoseconds();
  row("32-lane shuffle : 32 bare fiber switches", shuffle, bare_32, "ns", shuffle / bare_32,
      "<= 1.3");
  const double bare_256 = bare_round_nanoseconds(256);
  const double barrier = barrier_nanoseconds();
  row("barrier of 256 threads : 256 bare fiber switches", barrier, bare_256, "ns",
      barrier / bare_256, "<= 1.3");
  const double sums = block_sums_milliseconds();
  const double sums_alone = with_one_worker("sums");
  row("4096 block sums of 256 threads : one worker alone", sums, sums_alone, "ms",
      sums_alone / sums, ">= 1.8, and <= 45 ms");
  const pair_of_times added = vector_add_milliseconds();
  row("vector add, 16 M threads : plain loop", added.machine, added.plain, "ms",
      added.machine / added.plain, "<= 1.5");
  const times_of_sum strided = strided_sum_milliseconds();
  row("grid-stride sum of 64 M, 64 x 256 threads : plain loops", strided.machine, strided.plain,
      "ms", strided.machine / strided.plain, "<= 1");
  row("the same : one plain loop from the first to the last", strided.machine, strided.in_a_line,
      "ms", strided.machine / strided.in_a_line, "<= 2");
  const double per_second = with_one_worker("blocks");
  row("one-warp blocks per second and core : 300,000", per_second, 300'000, "1/s",
      per_second / 300'000, ">= 1");
  compare_with_openmp([](const char* what, double ours, double other) {
    row(what, ours, other, "ms", ours / other, "<= 3");
  });
}
