// norm::softmax and log_softmax against float64, in every kernel, length and layout.
#include <heddle/norm/softmax.cuh>

#include "norm/sweeps.cuh"

namespace {
using namespace heddle_test;

// The largest value as the kernels see it: they ignore NaN.
double greatest_of(const exact_row& row) {
  double greatest = -std::numeric_limits<double>::infinity();
  for (const double value : row.values) greatest = std::fmax(greatest, value);
  return greatest;
}

double sum_of_powers(const exact_row& row, double greatest) {
  double sum = 0;
  for (const double value : row.values) sum += std::exp(value - greatest);
  return sum;
}

struct softmax {
  template <typename T>
  void run(heddle::device::workspace& space, const call<T>& with) const {
    heddle::norm::softmax(space, with.input, with.output, with.shape);
  }
  // The relative error of a power is the absolute error of its exponent.
  static std::vector<expected_value> expected(const exact_row& row) {
    const double greatest = greatest_of(row), sum = sum_of_powers(row, greatest);
    std::vector<expected_value> results;
    for (const double value : row.values) {
      const double power = std::exp(value - greatest) / sum;
      const double distance = std::isfinite(value) ? std::abs(value - greatest) : 0;
      results.push_back({power, float_unit * (64 + 8 * distance) * power + 1e-37});
    }
    return results;
  }
};

struct log_softmax {
  template <typename T>
  void run(heddle::device::workspace& space, const call<T>& with) const {
    heddle::norm::log_softmax(space, with.input, with.output, with.shape);
  }
  static std::vector<expected_value> expected(const exact_row& row) {
    const double greatest = greatest_of(row), logarithm = std::log(sum_of_powers(row, greatest));
    std::vector<expected_value> results;
    for (const double value : row.values) {
      const double result = value - greatest - logarithm;
      results.push_back({result, float_unit * (64 + 4 * std::abs(result))});
    }
    return results;
  }
};

template <typename T>
class softmax_rows : public ::testing::Test {};
using element_types = ::testing::Types<float, __half, __nv_bfloat16>;
TYPED_TEST_SUITE(softmax_rows, element_types);

TYPED_TEST(softmax_rows, are_right_in_every_kernel_for_aligned_rows) {
  HEDDLE_NAME_SEED();
  expect_every_aligned_kernel<TypeParam>(softmax{});
  expect_every_aligned_kernel<TypeParam>(log_softmax{});
}

TYPED_TEST(softmax_rows, are_right_in_blocks_that_stay_for_many_rows) {
  HEDDLE_NAME_SEED();
  expect_many_rows_for_blocks_that_stay<TypeParam>(softmax{});
  expect_many_rows_for_blocks_that_stay<TypeParam>(log_softmax{});
}

TYPED_TEST(softmax_rows, are_right_in_every_kernel_for_ragged_rows) {
  HEDDLE_NAME_SEED();
  expect_every_ragged_kernel<TypeParam>(softmax{});
  expect_every_ragged_kernel<TypeParam>(log_softmax{});
}

TYPED_TEST(softmax_rows, use_a_kernel_that_holds_the_row) {
  HEDDLE_NAME_SEED();
  expect_default_shapes<TypeParam>(softmax{});
  expect_default_shapes<TypeParam>(log_softmax{});
}

TYPED_TEST(softmax_rows, may_replace_the_input) {
  HEDDLE_NAME_SEED();
  const launch_shape twice{0, 0, 64, 2};
  for (const launch_shape* shape : {static_cast<const launch_shape*>(nullptr), &twice}) {
    for (const int columns : {5, 64, 1001, 4096}) {
      layout where;
      where.columns = columns;
      where.is_in_place = true;
      where.shape = shape;
      ASSERT_NO_FATAL_FAILURE(expect_norm<TypeParam>(softmax{}, where));
      ASSERT_NO_FATAL_FAILURE(expect_norm<TypeParam>(log_softmax{}, where));
    }
  }
}

TYPED_TEST(softmax_rows, neither_overflow_nor_lose_digits_far_from_zero) {
  HEDDLE_NAME_SEED();
  const launch_shape shapes[]{{32, 16, 64, 1}, {0, 4, 128, 1}, {0, 2, 64, 4}, {0, 0, 32, 1}};
  for (const launch_shape& shape : shapes) {
    for (const double shift : {30'000.0, -30'000.0}) {
      for (const double scale : {3.0, 90.0, 20'000.0}) {
        layout where;
        where.columns = 2048;
        where.shift = shift;
        where.scale = scale;
        where.shape = &shape;
        ASSERT_NO_FATAL_FAILURE(expect_norm<TypeParam>(softmax{}, where));
        ASSERT_NO_FATAL_FAILURE(expect_norm<TypeParam>(log_softmax{}, where));
      }
    }
  }
}

TYPED_TEST(softmax_rows, are_exact_when_one_value_exceeds_all_others) {
  const double huge = std::is_same_v<TypeParam, __half> ? 65504 : 3e38;
  for (const int columns : {9, 64, 5000}) {
    layout where;
    where.columns = columns;
    const auto one_is_huge = [&](std::int64_t, std::int64_t column) {
      return column == columns - 1 ? huge : -huge;
    };
    expect_norm<TypeParam>(softmax{}, where, one_is_huge);
  }
}

TYPED_TEST(softmax_rows, reach_a_million_columns) {
  HEDDLE_NAME_SEED();
  for (const int less : {0, 1}) {
    layout where;
    where.rows = 1;
    where.columns = heddle::norm::most_columns - less;
    where.scale = 10;
    expect_norm<TypeParam>(softmax{}, where);
    expect_norm<TypeParam>(log_softmax{}, where);
  }
}

// Row 0 is ordinary, 1 has a NaN, 2 has +inf, 3 is all -inf, 4 is -inf except for one value, 5
// begins with many -inf, 6 has a NaN among -inf.
TYPED_TEST(softmax_rows, are_nan_for_nan_plus_infinity_and_nothing_but_minus_infinity) {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  const launch_shape shapes[]{{0, 0, 64, 1}, {0, 0, 32, 4}, {0, 4, 512, 2}};
  for (int i = -1; i < 3; ++i) {
    for (const int columns : {7, 64, 1000, 4096}) {
      layout where;
      where.rows = 7;
      where.columns = columns;
      if (i >= 0) where.shape = &shapes[i];
      const auto special = [&](std::int64_t row, std::int64_t column) {
        const bool is_middle = column == columns / 2;
        if (row == 1 && is_middle) return nan;
        if (row == 2 && is_middle) return infinity;
        if (row == 3) return -infinity;
        if (row == 4) return is_middle ? 2.0 : -infinity;
        if (row == 5 && column < columns - 3) return -infinity;
        if (row == 6) return is_middle ? nan : -infinity;
        return static_cast<double>(column % 3);
      };
      ASSERT_NO_FATAL_FAILURE(expect_norm<TypeParam>(softmax{}, where, special));
      ASSERT_NO_FATAL_FAILURE(expect_norm<TypeParam>(log_softmax{}, where, special));
    }
  }
}

TYPED_TEST(softmax_rows, sum_to_one) {
  using T = TypeParam;
  HEDDLE_NAME_SEED();
  std::vector<T> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = T(4 * sample<float>(seed(), i));
  const device_array<T> memory(values);
  heddle::device::workspace space;
  const matrix<T> rows(memory.data(), 10, 100);
  heddle::norm::softmax<T>(space, rows, rows);
  const auto results = memory.values();
  for (int row = 0; row < 10; ++row) {
    double sum = 0;
    for (int column = 0; column < 100; ++column) {
      sum += static_cast<float>(results[static_cast<std::size_t>(row * 100 + column)]);
    }
    EXPECT_NEAR(sum, 1, 100 * unit_at<T>(0.01) + 64 * float_unit);
  }
}

}  // namespace
