// device::min_max against plain loops, with NaN and zeros of both signs.
#include <heddle/device/min_max.cuh>

#include <cmath>
#include <limits>

#include "device/result.cuh"

namespace {
using namespace heddle_test;
namespace device = heddle::device;
using device::workspace;

TEST(device_min_max, finds_both_ends_at_every_edge) {
  HEDDLE_NAME_SEED();
  workspace workspace;
  std::vector<float> values(20'003);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = i % 7 == 3 ? std::numeric_limits<float>::quiet_NaN() : sample<float>(seed(), i);
  }
  const device_array<float> on_device(values);
  for (const std::int64_t count : counts_of_interest(seed(), 20'000)) {
    const int start = static_cast<int>(count % 4);
    float smallest = std::numeric_limits<float>::infinity(), largest = -smallest;
    for (std::int64_t i = 0; i < count; ++i) {
      smallest = std::fmin(smallest, values[start + i]);
      largest = std::fmax(largest, values[start + i]);
    }
    using both = device::extremes<float>;
    const auto found = result_of<both>([&](both* result) {
      device::min_max<small_grid>(workspace, on_device.data() + start, count, result);
    });
    ASSERT_EQ(found.smallest, smallest) << count;
    ASSERT_EQ(found.largest, largest) << count;
  }
}

TEST(device_min_max, distinguishes_zeros_and_takes_half) {
  workspace workspace;
  std::vector<__half> values(100, static_cast<__half>(0.0f));
  values[70] = static_cast<__half>(-0.0f);
  const device_array<__half> on_device(values);
  using both = device::extremes<__half>;
  const auto found = result_of<both>(
      [&](both* result) { device::min_max(workspace, on_device.data(), 100, result); });
  EXPECT_TRUE(std::signbit(static_cast<float>(found.smallest)));
  EXPECT_FALSE(std::signbit(static_cast<float>(found.largest)));
}

}  // namespace
