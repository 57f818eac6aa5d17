// The guarantees of cell numbers, at all magnitudes of coordinates and eps.
#include <gtest/gtest.h>
#include <heddle/cluster/cell_number.cuh>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace {
using namespace heddle_test;

__global__ void number_all(const double* values, const double* per_cell, std::int64_t* numbers,
                           int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) numbers[i] = heddle::cluster::detail::cell_number(values[i], per_cell[i]);
}

std::vector<std::int64_t> numbers_of(const std::vector<double>& values,
                                     const std::vector<double>& per_cell) {
  const device_array<double> from(values), scale(per_cell);
  const device_array<std::int64_t> to(values.size());
  const int count = static_cast<int>(values.size());
  const int blocks = (count + 255) / 256;
  number_all<<<blocks, 256>>>(from.data(), scale.data(), to.data(), count);
  check(cudaDeviceSynchronize(), "the kernel");
  return to.values();
}

double uniform(std::uint64_t i, double low, double high) {
  return low + (high - low) * (static_cast<double>(sample_bits(seed(), i) >> 11) * 0x1p-53);
}

// Pairs of values that are a few edges apart, from next to 0 to the limits of double.
TEST(cell_number, keeps_its_guarantees_for_close_values) {
  HEDDLE_NAME_SEED();
  constexpr std::uint64_t pairs = 20000;
  std::vector<double> values, scale, edges;
  for (std::uint64_t i = 0; i < pairs; ++i) {
    const double eps = std::exp(uniform(6 * i, std::log(1e-150), std::log(1e150)));
    const double edge = eps / std::sqrt(3.0) * (1 - 0x1p-20);
    const double cells = std::exp2(uniform(6 * i + 1, -10, 80));
    double low = edge * cells * (sample_bits(seed(), 6 * i + 2) % 2 == 0 ? 1 : -1);
    if (!std::isfinite(low)) low = std::numeric_limits<double>::max();
    // Next to multiples of an edge, where rounding decides.
    if (sample_bits(seed(), 6 * i + 3) % 2 == 0 && cells < 0x1p52)
      low = std::round(low / edge) * edge;
    const double high = low + edge * uniform(6 * i + 4, 0, 5);
    for (const double value : {low, high}) {
      values.push_back(std::isfinite(value) ? value : low);
      scale.push_back(heddle::cluster::detail::cells_per_unit<3>(eps));
      edges.push_back(edge);
    }
  }
  const auto numbers = numbers_of(values, scale);
  int equal = 0;
  for (std::size_t i = 0; i < numbers.size(); i += 2) {
    const double apart = std::fabs(values[i + 1] - values[i]);
    const auto between = numbers[i + 1] - numbers[i];
    if (values[i] != values[i + 1]) {
      ASSERT_GE(between, 0) << values[i] << ' ' << values[i + 1];
    }
    if (between == 0) {
      ++equal;
      ASSERT_LE(apart, edges[i] * (1 + 0x1p-21)) << values[i] << ' ' << values[i + 1];
    }
    if (std::abs(between) > 2) {
      ASSERT_GE(apart, edges[i] * 1.999) << values[i] << ' ' << values[i + 1];
    }
  }
  EXPECT_GT(equal, 100);
}

TEST(cell_number, stays_in_range_and_distinguishes_far_values) {
  constexpr double most = std::numeric_limits<double>::max();
  std::vector<double> values, scale;
  for (const double eps : {1e-150, 1e-20, 1.0})
    for (const double value : {-most, std::nextafter(-most, 0.0), -1.0, std::nextafter(-1.0, 0.0),
                               1.0, std::nextafter(1.0, 2.0), std::nextafter(most, 0.0), most}) {
      values.push_back(value);
      scale.push_back(heddle::cluster::detail::cells_per_unit<3>(eps));
    }
  const auto numbers = numbers_of(values, scale);
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_LT(std::fabs(static_cast<double>(numbers[i])), 0x1p63);
    if (i % 8 != 0) {
      EXPECT_GT(numbers[i], numbers[i - 1]) << values[i];
    }
  }
}

}  // namespace
