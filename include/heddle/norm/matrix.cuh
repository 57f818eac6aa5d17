// The matrices that row norms read and write, and the checks on their shapes.
#pragma once
#include <heddle/core/error.hpp>
#include <heddle/core/operators.cuh>
#include <heddle/core/vector_access.cuh>

#include <cstdint>
#include <string>
#include <type_traits>

namespace heddle::norm {

// The element types of rows. Statistics and results are computed in float and rounded once.
template <typename T>
concept row_element = std::is_same_v<T, float> || is_short_float<T>;

// The most columns a row may have.
inline constexpr std::int64_t most_columns = 1'048'576;

// Rows in device memory: element c of row r is data[r * stride + c]. Without data the matrix counts
// as absent.
template <typename T>
struct matrix {
  T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t stride = 0;  // in elements, at least `columns`

  matrix() = default;
  // Rows are contiguous, or `row_stride` elements apart.
  matrix(T* first, std::int64_t row_count, std::int64_t column_count)
      : matrix(first, row_count, column_count, column_count) {}
  matrix(T* first, std::int64_t row_count, std::int64_t column_count, std::int64_t row_stride)
      : data(first), rows(row_count), columns(column_count), stride(row_stride) {}
  // A writable matrix converts to a read-only one.
  template <typename U>
  requires std::is_same_v<const U, T> matrix(const matrix<U>& other)
      : matrix(other.data, other.rows, other.columns, other.stride) {}
};

namespace detail {

// Throws heddle::error if a matrix is not `rows` by `columns`, if its rows overlap or if it has no
// memory.
template <typename T>
void require_shape(const matrix<T>& given, std::int64_t rows, std::int64_t columns,
                   const char* name, source_location where) {
  const auto refuse = [&](const std::string& sentence) {
    throw error(cudaErrorInvalidValue, "norm: " + std::string(name) + " " + sentence, where);
  };
  if (given.rows != rows || given.columns != columns) {
    refuse("has " + std::to_string(given.rows) + " rows of " + std::to_string(given.columns) +
           " columns, and the input has " + std::to_string(rows) + " of " +
           std::to_string(columns));
  }
  if (rows > 1 && given.stride < columns) refuse("has a stride smaller than its columns");
  if (rows > 0 && given.data == nullptr) refuse("has no memory");
}

inline void require_columns(std::int64_t rows, std::int64_t columns, source_location where) {
  if (rows < 0) {
    throw error(cudaErrorInvalidValue,
                "norm: a matrix has 0 or more rows, and not " + std::to_string(rows), where);
  }
  if (columns < 1 || columns > most_columns) {
    throw error(cudaErrorInvalidValue,
                "norm: rows have 1 to " + std::to_string(most_columns) + " columns, and not " +
                    std::to_string(columns),
                where);
  }
}

}  // namespace detail

}  // namespace heddle::norm
