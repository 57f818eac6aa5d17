// The tour's norm: shifts rows to mean 0 and scales them to variance 1, once pass by pass, as the
// formula reads, and once with heddle::norm. `norm ROWS [times]`
#include <heddle/block/reduce.cuh>
#include <heddle/norm/layer_norm.cuh>

#include <cmath>
#include <exception>

#include "figures.cuh"

namespace {

constexpr int columns = 4096;
constexpr int threads = 256;
constexpr float epsilon = 1e-5f;

// One block per row. It reads the row three times: for the mean, the variance and the result.
__global__ void pass_by_pass(const float* input, float* output) {
  __shared__ heddle::block::scratch<float> scratch;
  const float* const row = input + static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += threads) sum += row[i];
  const float mean = heddle::block::reduce(sum, heddle::plus{}, scratch) / columns;
  float squares = 0;
  for (int i = threadIdx.x; i < columns; i += threads) squares += (row[i] - mean) * (row[i] - mean);
  const float variance = heddle::block::reduce(squares, heddle::plus{}, scratch) / columns;
  const float scale = 1 / sqrtf(variance + epsilon);
  for (int i = threadIdx.x; i < columns; i += threads) {
    output[static_cast<size_t>(blockIdx.x) * columns + i] = (row[i] - mean) * scale;
  }
}

// Compares with the formula in double.
bool is_normalised(const std::vector<float>& input, const std::vector<float>& output) {
  for (size_t begin = 0; begin < input.size(); begin += columns) {
    double sum = 0, squares = 0;
    for (int i = 0; i < columns; ++i) sum += input[begin + i];
    const double mean = sum / columns;
    for (int i = 0; i < columns; ++i) squares += std::pow(input[begin + i] - mean, 2);
    const double scale = 1 / std::sqrt(squares / columns + epsilon);
    for (int i = 0; i < columns; ++i) {
      const double expected = (input[begin + i] - mean) * scale;
      if (!(std::fabs(output[begin + i] - expected) <= 1e-5 * (1 + std::fabs(expected))))
        return false;
    }
  }
  return true;
}

}  // namespace

int main(int count, char** arguments) try {
  const tour::options options = tour::read_options(count, arguments, 16'384);
  const int rows = options.size;
  std::vector<float> host(static_cast<size_t>(rows) * columns);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i * 7919 % 1009) / 100 - 3;
  const tour::device_array<float> input(host), output(host.size());
  heddle::device::workspace space;
  const heddle::norm::matrix<const float> from(input.data(), rows, columns);
  const heddle::norm::matrix<float> into(output.data(), rows, columns);

  bool all_right = true;
  const auto run = [&](const char* variant, const std::function<void()>& launch) {
    heddle::check(cudaMemset(output.data(), 0xff, host.size() * sizeof(float)));
    launch();
    heddle::check(cudaDeviceSynchronize());
    all_right &= tour::print_if_wrong(variant, is_normalised(host, output.values()));
    if (!options.times) return;
    const double took = tour::microseconds(launch);
    tour::print_figure(variant, "time", "us", took);
    // The bytes that must be moved: each element in and out once.
    tour::print_figure(variant, "needed bytes", "GB/s",
                       2e-3 * sizeof(float) * static_cast<double>(host.size()) / took);
  };
  run("pass by pass", [&] { pass_by_pass<<<rows, threads>>>(input.data(), output.data()); });
  run("heddle::norm", [&] { heddle::norm::layer_norm<float>(space, from, into); });
  return all_right ? 0 : 1;
} catch (const std::exception& failure) {
  std::fprintf(stderr, "%s\n", failure.what());
  return 2;
}
