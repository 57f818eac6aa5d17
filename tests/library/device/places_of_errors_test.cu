// Errors of host functions name the caller's line, not one of the library's.
#include <heddle/device/arg.cuh>
#include <heddle/device/grid.cuh>
#include <heddle/device/histogram.cuh>
#include <heddle/device/min_max.cuh>
#include <heddle/device/reduce.cuh>
#include <heddle/device/reduce_by_key.cuh>
#include <heddle/device/reproducible_sum.cuh>
#include <heddle/device/run_length.cuh>
#include <heddle/device/scan.cuh>
#include <heddle/device/segmented_reduce.cuh>
#include <heddle/device/segmented_scan.cuh>
#include <heddle/device/select.cuh>
#include <heddle/device/sort.cuh>
#include <heddle/device/sum.cuh>

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace {
namespace device = heddle::device;

class device_error : public ::testing::Test {
 protected:
  // The call must be refused, and the error must name the line of the call.
  template <typename Call>
  static void expect_line(unsigned line, const Call& call) {
    try {
      call();
      ADD_FAILURE() << "the call in line " << line << " is not refused";
    } catch (const heddle::error& refused) {
      EXPECT_EQ(refused.where().line(), line) << refused.what();
      EXPECT_NE(std::strstr(refused.where().file_name(), "places_of_errors_test.cu"), nullptr)
          << refused.what();
    }
  }

  device::workspace work;
  int* const data = nullptr;
  float* const real = nullptr;
  static constexpr std::int64_t bad = -1;
};

struct is_odd {
  __host__ __device__ bool operator()(int value) const { return value % 2 != 0; }
};

// One call per line, so that the formatter leaves it alone.
#define EXPECT_CALLERS_LINE(...) expect_line(__LINE__, [&] { __VA_ARGS__; })

TEST_F(device_error, names_the_callers_line_for_a_reduction) {
  heddle::warp::indexed<int, std::int64_t>* const found = nullptr;
  EXPECT_CALLERS_LINE(device::reduce(work, data, bad, data, heddle::plus{}));
  EXPECT_CALLERS_LINE(device::reduce(work, data, bad, data, heddle::plus{}, 0));
  EXPECT_CALLERS_LINE(device::sum(work, data, bad, data));
  EXPECT_CALLERS_LINE(device::reproducible_sum(work, real, bad, real));
  EXPECT_CALLERS_LINE(device::arg_max(work, data, bad, found));
  EXPECT_CALLERS_LINE(device::arg_min(work, data, bad, found));
  device::extremes<int>* const both = nullptr;
  EXPECT_CALLERS_LINE(device::min_max(work, data, bad, both));
  EXPECT_CALLERS_LINE(device::grid_reduce(work, data, bad, data));
}

TEST_F(device_error, names_the_callers_line_for_a_scan) {
  EXPECT_CALLERS_LINE(device::inclusive_scan(work, data, data, bad));
  EXPECT_CALLERS_LINE(device::inclusive_scan_from(work, 1, data, data, bad));
  EXPECT_CALLERS_LINE(device::exclusive_scan(work, data, data, bad));
  EXPECT_CALLERS_LINE(device::exclusive_scan_from(work, 1, data, data, bad));
}

TEST_F(device_error, names_the_callers_line_for_a_segmented_scan) {
  EXPECT_CALLERS_LINE(device::segmented_inclusive_scan(work, data, data, data, bad));
  EXPECT_CALLERS_LINE(device::inclusive_scan_by_key(work, data, data, data, bad));
  EXPECT_CALLERS_LINE(device::inclusive_scan_by_offsets(work, data, data, 1, data, bad));
  EXPECT_CALLERS_LINE(device::segmented_exclusive_scan(work, data, data, data, bad));
  EXPECT_CALLERS_LINE(device::segmented_exclusive_scan_from(work, 1, data, data, data, bad));
  EXPECT_CALLERS_LINE(device::exclusive_scan_by_key(work, data, data, data, bad));
  EXPECT_CALLERS_LINE(device::exclusive_scan_by_key_from(work, 1, data, data, data, bad));
  EXPECT_CALLERS_LINE(device::exclusive_scan_by_offsets(work, data, data, 1, data, bad));
  EXPECT_CALLERS_LINE(device::exclusive_scan_by_offsets_from(work, 1, data, data, 1, data, bad));
}

TEST_F(device_error, names_the_callers_line_for_a_selection_or_runs) {
  EXPECT_CALLERS_LINE(device::select(work, data, bad, data, data, is_odd{}));
  EXPECT_CALLERS_LINE(device::select_flagged(work, data, data, bad, data, data));
  EXPECT_CALLERS_LINE(device::run_length(work, data, bad, data, data, data));
  EXPECT_CALLERS_LINE(device::reduce_by_key(work, data, data, bad, data, data, data));
  EXPECT_CALLERS_LINE(device::segmented_reduce(work, data, data, bad, data));
}

TEST_F(device_error, names_the_callers_line_for_a_sort) {
  EXPECT_CALLERS_LINE(device::sort(work, data, bad, data));
  EXPECT_CALLERS_LINE(device::sort(work, data, 1, data, {.end_bit = 33}));
  EXPECT_CALLERS_LINE(device::sort_pairs(work, data, real, bad, data, real));
}

TEST_F(device_error, names_the_callers_line_for_a_histogram) {
  unsigned* const counts = nullptr;
  const device::even_bins<int> bins{0, 8, 8};
  EXPECT_CALLERS_LINE(device::histogram(work, data, bad, bins, counts));
}

__global__ void too_large(int) {}

TEST_F(device_error, names_the_callers_line_for_a_launch) {
  const auto launched = [&](device::detail::shape wanted) {
    device::detail::launch(work, wanted, &too_large, 1);
  };
  EXPECT_CALLERS_LINE(launched({.blocks = 1, .threads = 4096}));
  const auto together = [&](device::cooperative_shape wanted) {
    device::launch_cooperative(work, wanted, &too_large, 1);
  };
  EXPECT_CALLERS_LINE(together({.threads = 4096}));
  static_cast<void>(cudaGetLastError());
}

TEST_F(device_error, names_the_callers_line_for_missing_memory) {
  const std::int64_t many = std::int64_t{1} << 46;
  EXPECT_CALLERS_LINE(device::inclusive_scan_by_offsets(work, data, data, 1, data, many));
  EXPECT_CALLERS_LINE(device::sort(work, data, many, data));
  static_cast<void>(cudaGetLastError());
}

}  // namespace
