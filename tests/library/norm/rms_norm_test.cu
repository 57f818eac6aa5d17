// norm::rms_norm against float64, in every kernel, length and layout.
#include <heddle/norm/rms_norm.cuh>

#include "norm/sweeps.cuh"

namespace {
using namespace heddle_test;

struct rms {
  template <typename T>
  void run(heddle::device::workspace& space, const call<T>& with) const {
    heddle::norm::rms_norm(space, with.input, with.output,
                           {with.weight, with.epsilon, with.residual, with.sum}, with.shape);
  }
  static std::vector<expected_value> expected(const exact_row& row) {
    double squares = 0;
    for (const double value : row.values) squares += value * value;
    const double scale =
        1 / std::sqrt(squares / static_cast<double>(row.values.size()) + row.epsilon);
    std::vector<expected_value> results;
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      const double value = row.values[i] * scale * row.weight[i];
      results.push_back({value, 64 * float_unit * std::abs(value) + 1e-37});
    }
    return results;
  }
};

template <typename T>
class rms_norm : public ::testing::Test {};
using element_types = ::testing::Types<float, __half, __nv_bfloat16>;
TYPED_TEST_SUITE(rms_norm, element_types);

TYPED_TEST(rms_norm, is_right_in_every_kernel_for_aligned_rows) {
  HEDDLE_NAME_SEED();
  expect_every_aligned_kernel<TypeParam>(rms{});
}

TYPED_TEST(rms_norm, is_right_in_blocks_that_stay_for_many_rows) {
  HEDDLE_NAME_SEED();
  expect_many_rows_for_blocks_that_stay<TypeParam>(rms{});
  expect_many_rows_for_blocks_that_stay<TypeParam>(rms{}, true);
}

TYPED_TEST(rms_norm, is_right_in_every_kernel_for_ragged_rows) {
  HEDDLE_NAME_SEED();
  expect_every_ragged_kernel<TypeParam>(rms{});
}

TYPED_TEST(rms_norm, adds_a_residual_first_and_stores_the_rounded_sum) {
  HEDDLE_NAME_SEED();
  expect_every_aligned_kernel<TypeParam>(rms{}, true);
  expect_every_ragged_kernel<TypeParam>(rms{}, true);
}

TYPED_TEST(rms_norm, chooses_a_kernel_that_holds_the_row) {
  HEDDLE_NAME_SEED();
  expect_default_shapes<TypeParam>(rms{});
}

TYPED_TEST(rms_norm, works_in_place) {
  HEDDLE_NAME_SEED();
  const launch_shape twice{0, 0, 64, 2}, ahead{0, 8, 128, 1, true};
  for (const launch_shape* shape : {static_cast<const launch_shape*>(nullptr), &twice, &ahead}) {
    for (const int columns : {5, 64, 1001, 4096}) {
      if (shape == &ahead && columns % 8 != 0) continue;  // only for aligned rows
      for (const bool has_residual : {false, true}) {
        layout where;
        where.columns = columns;
        where.input_gap = columns % 8;
        where.output_gap = where.input_gap;
        where.is_in_place = true;
        where.has_residual = has_residual;
        where.sum_replaces_residual = true;
        where.shape = shape;
        ASSERT_NO_FATAL_FAILURE(expect_norm<TypeParam>(rms{}, where));
      }
    }
  }
}

TYPED_TEST(rms_norm, takes_the_sum_in_place_of_the_input) {
  using T = TypeParam;
  const std::vector<T> ones(64, T(1.0f)), twos(64, T(2.0f));
  const device_array<T> input(ones), residual(twos), output(64);
  heddle::device::workspace space;
  const matrix<T> sum(input.data(), 2, 32);
  heddle::norm::rms_norm<T>(space, sum, {output.data(), 2, 32},
                            {.epsilon = 0, .residual = {residual.data(), 2, 32}, .sum = sum});
  // No more exact than the contract says: a GPU's reciprocal square root of 9 is off by a unit.
  for (const T value : output.values()) EXPECT_NEAR(static_cast<float>(value), 1.0f, 0x1p-21f);
  for (const T value : input.values()) EXPECT_EQ(static_cast<float>(value), 3.0f);
}

// Persistent blocks share the rows by a counter in the workspace, which each call leaves as it was.
TYPED_TEST(rms_norm, gives_every_row_to_blocks_that_stay_in_one_call_after_another) {
  using T = TypeParam;
  constexpr std::int64_t columns = 4 * heddle::vector_length<T>, most_rows = 3000;
  std::vector<T> values;
  for (std::int64_t i = 0; i < most_rows * columns; ++i) {
    values.push_back(T(static_cast<float>(1 + i / columns % 7)));
  }
  const device_array<T> input(values);
  heddle::device::workspace space;
  const launch_shape shapes[]{{0, 4, 32, 1, true}, {0, 8, 32, 1, true}, {0, 4, 32, 2, true}};
  for (const std::int64_t rows : {most_rows, std::int64_t{1}, std::int64_t{800}}) {
    for (const launch_shape& shape : shapes) {
      const device_array<T> output(
          std::vector<T>(static_cast<std::size_t>(rows * columns), T(0.0f)));
      heddle::norm::rms_norm<T>(space, matrix<T>(input.data(), rows, columns),
                                {output.data(), rows, columns}, {.epsilon = 0}, &shape);
      std::int64_t i = 0;
      for (const T value : output.values()) {
        ASSERT_NEAR(static_cast<float>(value), 1.0f, 0x1p-7f) << "row " << i / columns;
        ++i;
      }
    }
  }
}

TYPED_TEST(rms_norm, works_without_a_weight) {
  HEDDLE_NAME_SEED();
  for (const int columns : {3, 256, 1001, 4096}) {
    layout where;
    where.columns = columns;
    where.has_weight = false;
    expect_norm<TypeParam>(rms{}, where);
  }
}

TYPED_TEST(rms_norm, keeps_digits_of_huge_and_tiny_values) {
  HEDDLE_NAME_SEED();
  const bool is_half = std::is_same_v<TypeParam, __half>;
  for (const double scale : {is_half ? 6e4 : 1e17, is_half ? 1e-4 : 1e-15}) {
    for (const int columns : {100, 4096}) {
      layout where;
      where.columns = columns;
      where.scale = scale;
      expect_norm<TypeParam>(rms{}, where);
    }
  }
}

TYPED_TEST(rms_norm, reaches_a_million_columns) {
  HEDDLE_NAME_SEED();
  for (const int less : {0, 1}) {
    layout where;
    where.rows = 1;
    where.columns = heddle::norm::most_columns - less;
    expect_norm<TypeParam>(rms{}, where);
  }
}

TYPED_TEST(rms_norm, spreads_nan_over_its_row_only_and_turns_one_infinity_into_nan) {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (const int columns : {7, 64, 1000, 4096}) {
    layout where;
    where.rows = 4;
    where.columns = columns;
    expect_norm<TypeParam>(rms{}, where, [&](std::int64_t row, std::int64_t column) {
      if (column == columns / 2 && row == 1) return nan;
      if (column == columns / 2 && row == 2) return infinity;
      return 1.0 + static_cast<double>(column % 3);
    });
  }
}

TEST(rms_norm_arguments, are_refused_with_a_message) {
  heddle::device::workspace space;
  const device_array<float> memory(64);
  const auto sentence_of = [&](const matrix<float>& input, const matrix<float>& output,
                               const heddle::norm::rms_norm_options<float>& options,
                               const launch_shape* shape = nullptr) -> std::string {
    try {
      heddle::norm::rms_norm<float>(space, input, output, options, shape);
    } catch (const heddle::error& refused) {
      return refused.what();
    }
    return "";
  };
  const matrix<float> good(memory.data(), 2, 8);
  const auto says = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(says(sentence_of(good, {memory.data(), 2, 4}, {}), "the output has 2 rows of 4"));
  EXPECT_TRUE(says(sentence_of({memory.data(), 2, 8, 7}, good, {}), "a stride smaller"));
  EXPECT_TRUE(says(sentence_of({memory.data(), 1, 0}, {memory.data(), 1, 0}, {}), "1 to 1048576"));
  EXPECT_TRUE(says(sentence_of(good, good, {.residual = good}), "the sum has 0 rows"));
  EXPECT_TRUE(
      says(sentence_of(good, good, {.residual = good, .sum = good}), "memory of their own"));
  const launch_shape too_small{0, 0, 48, 1}, none{0, 3, 64, 1}, short_of_room{2, 2, 64, 1};
  EXPECT_TRUE(says(sentence_of(good, good, {}, &too_small), "whole warps"));
  EXPECT_TRUE(says(sentence_of(good, good, {}, &none), "no kernel of this shape"));
  EXPECT_TRUE(says(sentence_of({memory.data(), 1, 64}, {memory.data(), 1, 64}, {}, &short_of_room),
                   "do not fit"));
}

TEST(rms_norm_arguments, may_have_no_rows) {
  heddle::device::workspace space;
  heddle::norm::rms_norm<float>(space, {nullptr, 0, 8}, {nullptr, 0, 8});
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

}  // namespace
