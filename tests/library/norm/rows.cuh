// Runs a row norm over matrices of any layout and compares it with float64, row by row.
#pragma once
#include <heddle/norm/launch.cuh>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace heddle_test {

using heddle::norm::launch_shape;
using heddle::norm::matrix;

// The memory layout of the matrices, and their contents.
struct layout {
  std::int64_t rows = 3;
  std::int64_t columns = 8;
  std::int64_t input_gap = 0;  // elements between rows
  std::int64_t output_gap = 0;
  int input_offset = 0;  // elements between the allocation's start and the first row
  int output_offset = 0;
  int weight_offset = 0;
  bool is_in_place = false;
  bool has_weight = true;
  bool has_bias = true;
  bool has_residual = false;
  bool sum_replaces_residual = false;
  double scale = 1;  // values are scale * [-1, 1) + shift
  double shift = 0;
  const launch_shape* shape = nullptr;

  std::string words() const {
    return std::to_string(rows) + " x " + std::to_string(columns) + ", gaps " +
           std::to_string(input_gap) + " and " + std::to_string(output_gap) + ", offsets " +
           std::to_string(input_offset) + " and " + std::to_string(output_offset) +
           (is_in_place ? ", in place" : "") + (has_residual ? ", with residual" : "") +
           (shape == nullptr ? ""
                             : ", lanes " + std::to_string(shape->lanes) + ", vectors " +
                                   std::to_string(shape->vectors) + ", threads " +
                                   std::to_string(shape->threads) + ", blocks " +
                                   std::to_string(shape->blocks_per_row) +
                                   (shape->fetches_ahead ? ", ahead" : ""));
  }
};

// The distance between a number of T and the next one, at `value`.
template <typename T>
double unit_at(double value) {
  constexpr int digits = std::is_same_v<T, float> ? 24 : std::is_same_v<T, __half> ? 11 : 8;
  constexpr int least = std::is_same_v<T, __half> ? -14 : -126;
  if (!std::isfinite(value)) return 0;
  const int exponent = value == 0 ? least : std::max(std::ilogb(value), least);
  return std::ldexp(1.0, exponent - digits + 1);
}

inline constexpr double float_unit = 0x1p-24;

struct expected_value {
  double value;
  double error;  // float arithmetic may add this to the rounding to T
};

// A matrix in device memory; the memory before, between and after its rows must not change.
template <typename T>
class laid_out {
 public:
  laid_out(std::int64_t rows, std::int64_t columns, std::int64_t gap, int offset)
      : rows_(rows),
        columns_(columns),
        stride_(columns + gap),
        offset_(offset),
        before_(static_cast<std::size_t>(offset + rows * stride_ + 16), T(-77.0f)) {}

  T& at(std::int64_t row, std::int64_t column) { return before_[place(row, column)]; }
  void upload() { memory_ = std::make_unique<device_array<T>>(before_); }
  matrix<T> view() const { return {memory_->data() + offset_, rows_, columns_, stride_}; }

  // The current values; also checks that nothing outside the rows has changed.
  std::vector<T> values() const {
    const std::vector<T> now = memory_->values();
    std::vector<char> is_row(now.size(), 0);
    std::vector<T> rows;
    for (std::int64_t row = 0; row < rows_; ++row) {
      for (std::int64_t column = 0; column < columns_; ++column) {
        is_row[place(row, column)] = 1;
        rows.push_back(now[place(row, column)]);
      }
    }
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (!is_row[i] && static_cast<float>(now[i]) != -77.0f) {
        ADD_FAILURE() << "element " << i << " outside of the rows was overwritten";
        break;
      }
    }
    return rows;
  }

 private:
  std::size_t place(std::int64_t row, std::int64_t column) const {
    return static_cast<std::size_t>(offset_ + row * stride_ + column);
  }
  std::int64_t rows_, columns_, stride_;
  int offset_;
  std::vector<T> before_;
  std::unique_ptr<device_array<T>> memory_;
};

// The arguments of a norm.
template <typename T>
struct call {
  matrix<const T> input;
  matrix<T> output;
  const T* weight;
  const T* bias;
  float epsilon;
  matrix<const T> residual;
  matrix<T> sum;
  const launch_shape* shape;
};

// A row as float64, with its weight and bias.
struct exact_row {
  std::vector<double> values, weight, bias;
  double epsilon;
};

inline bool is_near(double got, const expected_value& wanted, double unit) {
  if (std::isnan(wanted.value)) return std::isnan(got);
  if (std::isinf(wanted.value)) return got == wanted.value;
  return std::abs(got - wanted.value) <= wanted.error + unit;
}

template <typename T>
void expect_row(const exact_row& row, const T* got, std::vector<expected_value> wanted,
                std::int64_t number, const layout& where) {
  for (std::size_t column = 0; column < row.values.size(); ++column) {
    const double value = static_cast<float>(got[column]);
    const double unit = unit_at<T>(wanted[column].value);
    ASSERT_TRUE(is_near(value, wanted[column], unit))
        << "row " << number << ", column " << column << " of " << where.words() << ": " << value
        << " and not " << wanted[column].value << " (float may err by " << wanted[column].error
        << ", a unit is " << unit << ")";
  }
}

// Norm is an object with
//   run(workspace, call)         launches the norm
//   expected(exact_row)          returns the expected values
// `value_at(row, column)` is the input; without it, the input is scale * [-1, 1) + shift.
template <typename T, typename Norm>
void expect_norm(const Norm& norm, const layout& where,
                 const std::function<double(std::int64_t, std::int64_t)>& value_at = {}) {
  const float epsilon = 1e-5f;
  laid_out<T> input(where.rows, where.columns, where.input_gap, where.input_offset);
  laid_out<T> output(where.rows, where.columns, where.output_gap, where.output_offset);
  laid_out<T> residual(where.rows, where.columns, where.output_gap, where.input_offset);
  laid_out<T> sum(where.rows, where.columns, where.input_gap, where.output_offset);
  laid_out<T> weight(1, where.columns, 0, where.weight_offset);
  laid_out<T> bias(1, where.columns, 0, where.weight_offset);
  std::vector<exact_row> rows(static_cast<std::size_t>(where.rows));
  const auto random = [&](std::uint64_t index) { return sample<float>(seed(), index); };
  for (std::int64_t column = 0; column < where.columns; ++column) {
    weight.at(0, column) = T(1 + 0.5f * random(2'000'000 + column));
    bias.at(0, column) = T(random(4'000'000 + column));
  }
  for (std::int64_t row = 0; row < where.rows; ++row) {
    exact_row& exact = rows[static_cast<std::size_t>(row)];
    exact.epsilon = epsilon;
    for (std::int64_t column = 0; column < where.columns; ++column) {
      const std::uint64_t index = 10'000'000 + row * where.columns + column;
      const double value =
          value_at ? value_at(row, column) : where.scale * random(index) + where.shift;
      input.at(row, column) = T(static_cast<float>(value));
      residual.at(row, column) = T(static_cast<float>(where.scale) * random(~index));
      T normalised = input.at(row, column);
      if (where.has_residual) {
        normalised =
            T(static_cast<float>(normalised) + static_cast<float>(residual.at(row, column)));
      }
      exact.values.push_back(static_cast<float>(normalised));
      exact.weight.push_back(where.has_weight ? static_cast<float>(weight.at(0, column)) : 1.0);
      exact.bias.push_back(where.has_bias ? static_cast<float>(bias.at(0, column)) : 0.0);
    }
  }
  for (laid_out<T>* one : {&input, &output, &residual, &sum, &weight, &bias}) one->upload();
  heddle::device::workspace space;
  const matrix<T> written = where.is_in_place ? input.view() : output.view();
  const matrix<T> written_sum = where.sum_replaces_residual ? residual.view() : sum.view();
  norm.run(space, call<T>{input.view(), written, where.has_weight ? weight.view().data : nullptr,
                          where.has_bias ? bias.view().data : nullptr, epsilon,
                          where.has_residual ? matrix<const T>(residual.view()) : matrix<const T>(),
                          where.has_residual ? written_sum : matrix<T>(), where.shape});
  check(cudaDeviceSynchronize(), "the kernel");

  const auto got = where.is_in_place ? input.values() : output.values();
  const auto sums = where.sum_replaces_residual ? residual.values() : sum.values();
  for (std::int64_t row = 0; row < where.rows; ++row) {
    const exact_row& exact = rows[static_cast<std::size_t>(row)];
    const auto begin = static_cast<std::size_t>(row * where.columns);
    ASSERT_NO_FATAL_FAILURE(
        expect_row<T>(exact, got.data() + begin, norm.expected(exact), row, where));
    if (!where.has_residual) continue;
    for (std::size_t column = 0; column < exact.values.size(); ++column) {
      ASSERT_EQ(static_cast<double>(static_cast<float>(sums[begin + column])), exact.values[column])
          << "sum in row " << row << ", column " << column << " of " << where.words();
    }
  }
}

}  // namespace heddle_test
