// norm::layer_norm against float64, in every kernel, length and layout.
#include <heddle/norm/layer_norm.cuh>

#include "norm/sweeps.cuh"

namespace {
using namespace heddle_test;

struct layer {
  template <typename T>
  void run(heddle::device::workspace& space, const call<T>& with) const {
    heddle::norm::layer_norm(space, with.input, with.output,
                             {with.weight, with.bias, with.epsilon, with.residual, with.sum},
                             with.shape);
  }
  // Float loses a few units of the largest distance from the mean, however large the mean is.
  static std::vector<expected_value> expected(const exact_row& row) {
    const auto count = static_cast<double>(row.values.size());
    double sum = 0, squares = 0, greatest = 0;
    for (const double value : row.values) sum += value;
    const double mean = sum / count;
    for (const double value : row.values) {
      squares += (value - mean) * (value - mean);
      greatest = std::max(greatest, std::abs(value - mean));
    }
    const double scale = 1 / std::sqrt(squares / count + row.epsilon);
    std::vector<expected_value> results;
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      const double scaled = (row.values[i] - mean) * scale * row.weight[i];
      const double error = 8 * greatest * scale * std::abs(row.weight[i]) +
                           64 * (std::abs(scaled) + std::abs(row.bias[i]));
      results.push_back({scaled + row.bias[i], float_unit * error + 1e-37});
    }
    return results;
  }
};

template <typename T>
class layer_norm : public ::testing::Test {};
using element_types = ::testing::Types<float, __half, __nv_bfloat16>;
TYPED_TEST_SUITE(layer_norm, element_types);

TYPED_TEST(layer_norm, is_right_in_every_kernel_for_aligned_rows) {
  HEDDLE_NAME_SEED();
  expect_every_aligned_kernel<TypeParam>(layer{});
}

TYPED_TEST(layer_norm, is_right_in_blocks_that_stay_for_many_rows) {
  HEDDLE_NAME_SEED();
  expect_many_rows_for_blocks_that_stay<TypeParam>(layer{});
  expect_many_rows_for_blocks_that_stay<TypeParam>(layer{}, true);
}

TYPED_TEST(layer_norm, is_right_in_every_kernel_for_ragged_rows) {
  HEDDLE_NAME_SEED();
  expect_every_ragged_kernel<TypeParam>(layer{});
}

TYPED_TEST(layer_norm, adds_a_residual_first_and_stores_the_rounded_sum) {
  HEDDLE_NAME_SEED();
  expect_every_aligned_kernel<TypeParam>(layer{}, true);
  expect_every_ragged_kernel<TypeParam>(layer{}, true);
}

TYPED_TEST(layer_norm, chooses_a_kernel_that_holds_the_row) {
  HEDDLE_NAME_SEED();
  expect_default_shapes<TypeParam>(layer{});
}

TYPED_TEST(layer_norm, works_in_place) {
  HEDDLE_NAME_SEED();
  for (const int columns : {5, 64, 1001, 4096}) {
    for (const bool has_residual : {false, true}) {
      layout where;
      where.columns = columns;
      where.is_in_place = true;
      where.has_residual = has_residual;
      where.sum_replaces_residual = true;
      ASSERT_NO_FATAL_FAILURE(expect_norm<TypeParam>(layer{}, where));
    }
  }
}

TYPED_TEST(layer_norm, works_without_weight_or_bias) {
  HEDDLE_NAME_SEED();
  for (const int columns : {3, 256, 1001, 4096}) {
    for (const bool has_weight : {false, true}) {
      for (const bool has_bias : {false, true}) {
        layout where;
        where.columns = columns;
        where.has_weight = has_weight;
        where.has_bias = has_bias;
        expect_norm<TypeParam>(layer{}, where);
      }
    }
  }
}

// A mean that is up to 10^6 times the deviation (half, bfloat16: 60 times). E[x^2] - E[x]^2 would
// leave no correct digit of a float variance.
TYPED_TEST(layer_norm, keeps_digits_of_rows_far_from_zero) {
  HEDDLE_NAME_SEED();
  const bool is_float = std::is_same_v<TypeParam, float>;
  const launch_shape shapes[]{{32, 16, 64, 1}, {0, 4, 128, 1}, {0, 2, 64, 4}, {0, 0, 32, 1}};
  for (const launch_shape& shape : shapes) {
    for (const double mean : {1e3, 1e4, 1e5, 1e6, 1e7}) {
      layout where;
      where.columns = 2048;
      where.shift = is_float ? mean : mean / 100;
      where.scale = is_float ? 5 : where.shift / 50;
      where.shape = &shape;
      for (const bool has_residual : {false, true}) {
        where.has_residual = has_residual;
        if (std::is_same_v<TypeParam, __half> && mean > 6e6) continue;  // no such half
        ASSERT_NO_FATAL_FAILURE(expect_norm<TypeParam>(layer{}, where));
      }
    }
  }
}

// One value is the next number of T after a large mean, and all others are the mean: it gives
// sqrt(columns - 1), the others -1 / sqrt(columns - 1). A mean rounded to float is wrong by up to
// half of that one step.
TYPED_TEST(layer_norm, keeps_digits_of_a_single_step_from_a_large_mean) {
  const bool is_half = std::is_same_v<TypeParam, __half>;
  const double most = is_half ? 6e4 : 1e7;
  const launch_shape twice{0, 0, 64, 1}, kept{0, 4, 64, 1, true}, two_blocks{0, 2, 64, 2};
  for (double mean = 1e3; mean <= most; mean *= 7) {
    const double large = static_cast<float>(TypeParam(static_cast<float>(mean)));
    const double step = std::max(1.0, unit_at<TypeParam>(large));
    for (const int columns : {2, 64, 77, 512, 1001}) {
      for (const launch_shape* shape :
           {static_cast<const launch_shape*>(nullptr), &twice, &kept, &two_blocks}) {
        if (shape != nullptr && shape != &twice && columns != 512) continue;
        for (const bool has_residual : {false, true}) {
          for (const int place : {0, 1, columns - 1}) {
            layout where;
            where.columns = columns;
            where.has_residual = has_residual;
            where.scale = has_residual ? step / 8 : 1;
            where.shape = shape;
            ASSERT_NO_FATAL_FAILURE(
                expect_norm<TypeParam>(layer{}, where, [&](std::int64_t, std::int64_t column) {
                  return column == place ? large + step : large;
                }));
          }
        }
      }
    }
  }
}

// The first values are far from all others, so shifting by one of them does not help.
TYPED_TEST(layer_norm, keeps_digits_beside_an_outlier) {
  HEDDLE_NAME_SEED();
  for (const int columns : {40, 300, 3000}) {
    layout where;
    where.columns = columns;
    expect_norm<TypeParam>(layer{}, where, [&](std::int64_t row, std::int64_t column) {
      const double near = sample<float>(seed(), row * columns + column);
      return column == 0 ? 3e4 : near;
    });
  }
}

TYPED_TEST(layer_norm, turns_a_row_of_equal_values_into_the_bias) {
  for (const int columns : {1, 8, 77, 1024, 5000}) {
    layout where;
    where.columns = columns;
    expect_norm<TypeParam>(layer{}, where, [](std::int64_t, std::int64_t) { return 3.0; });
  }
}

TYPED_TEST(layer_norm, keeps_digits_of_huge_and_tiny_values) {
  HEDDLE_NAME_SEED();
  const bool is_half = std::is_same_v<TypeParam, __half>;
  for (const double scale : {is_half ? 6e4 : 1e17, is_half ? 1e-4 : 1e-15}) {
    for (const int columns : {100, 4096}) {
      layout where;
      where.columns = columns;
      where.scale = scale;
      expect_norm<TypeParam>(layer{}, where);
    }
  }
}

// If squares overflow, the scale is 0.
struct layer_of_nothing : layer {
  static std::vector<expected_value> expected(const exact_row& row) {
    std::vector<expected_value> results;
    for (const double bias : row.bias) results.push_back({bias, 0});
    return results;
  }
};

TYPED_TEST(layer_norm, becomes_the_bias_when_squares_overflow) {
  if (std::is_same_v<TypeParam, __half>) return;  // its squares do not overflow
  const launch_shape shapes[]{{32, 4, 64, 1}, {0, 4, 64, 1}, {0, 0, 64, 2}, {0, 8, 64, 1, true}};
  for (const launch_shape& shape : shapes) {
    layout where;
    where.columns = 128 * heddle::vector_length<TypeParam>;
    where.shape = &shape;
    // The first lane's mean is far from the others' too.
    expect_norm<TypeParam>(layer_of_nothing{}, where, [](std::int64_t, std::int64_t column) {
      return column < 4 ? 3e25 : column % 2 == 0 ? 1e25 : -1e25;
    });
  }
}

TYPED_TEST(layer_norm, reaches_a_million_columns) {
  HEDDLE_NAME_SEED();
  for (const int less : {0, 1}) {
    layout where;
    where.rows = 1;
    where.columns = heddle::norm::most_columns - less;
    expect_norm<TypeParam>(layer{}, where);
  }
}

TYPED_TEST(layer_norm, turns_a_row_with_nan_or_infinity_into_nan_and_no_other) {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  const launch_shape twice{0, 0, 64, 1};
  for (const launch_shape* shape : {static_cast<const launch_shape*>(nullptr), &twice}) {
    for (const int columns : {7, 64, 1000, 4096}) {
      layout where;
      where.rows = 4;
      where.columns = columns;
      where.shape = shape;
      expect_norm<TypeParam>(layer{}, where, [&](std::int64_t row, std::int64_t column) {
        if (column == columns / 2 && row == 1) return nan;
        if (column == columns / 2 && row == 2) return -infinity;
        return 1.0 + static_cast<double>(column % 3);
      });
    }
  }
}

}  // namespace
