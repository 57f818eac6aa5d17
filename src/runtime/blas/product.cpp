#include "blas/product.hpp"

#include <algorithm>
#include <cmath>

namespace heddle_host::blas {
namespace {

template <typename Number>
std::vector<Number> transposed(const std::vector<Number>& from, std::int64_t rows,
                               std::int64_t columns) {
  std::vector<Number> to(from.size());
  for (std::int64_t column = 0; column < columns; ++column) {
    for (std::int64_t row = 0; row < rows; ++row) {
      to[static_cast<std::size_t>(row * columns + column)] =
          from[static_cast<std::size_t>(column * rows + row)];
    }
  }
  return to;
}

template <typename Number>
std::vector<Number> fetch_operand(const matrix& from, bool transposes) {
  std::vector<Number> numbers = fetch<Number>(from);
  return transposes ? transposed(numbers, from.rows, from.columns) : numbers;
}

// sum += a * b, all column-major. A tile of `a` and a part of `sum` stay in the cache.
template <typename Number>
void add_product(std::int64_t rows, std::int64_t columns, std::int64_t inner, const Number* a,
                 const Number* b, Number* sum) {
  constexpr std::int64_t row_tile = 256, inner_tile = 64;
  for (std::int64_t first = 0; first < rows; first += row_tile) {
    const std::int64_t count = std::min(row_tile, rows - first);
    for (std::int64_t from = 0; from < inner; from += inner_tile) {
      const std::int64_t to = std::min(from + inner_tile, inner);
      for (std::int64_t column = 0; column < columns; ++column) {
        Number* const of_column = sum + column * rows + first;
        for (std::int64_t at = from; at < to; ++at) {
          const Number factor = b[column * inner + at];
          const Number* const of_a = a + at * rows + first;
          for (std::int64_t row = 0; row < count; ++row) of_column[row] += of_a[row] * factor;
        }
      }
    }
  }
}

template <typename Number>
Number apply(activation what, Number x) {
  switch (what) {
    case activation::relu:
      return x > 0 ? x : Number(0);
    case activation::gelu: {  // cuBLASLt uses the tanh approximation
      const Number inside = Number(0.7978845608028654) * (x + Number(0.044715) * x * x * x);
      return Number(0.5) * x * (Number(1) + std::tanh(inside));
    }
    case activation::none:
      break;
  }
  return x;
}

}  // namespace

template <typename Number>
void perform(const product& what, Number alpha, Number beta) {
  const std::int64_t rows = what.d.rows, columns = what.d.columns;
  std::vector<Number> result(static_cast<std::size_t>(rows * columns), Number(0));
  if (alpha != Number(0) && what.inner() > 0) {
    const std::vector<Number> a = fetch_operand<Number>(what.a, what.transposes_a);
    const std::vector<Number> b = fetch_operand<Number>(what.b, what.transposes_b);
    add_product(rows, columns, what.inner(), a.data(), b.data(), result.data());
  }
  const std::vector<Number> c =
      beta == Number(0) ? std::vector<Number>(result.size(), Number(0)) : fetch<Number>(what.c);
  const std::vector<Number> bias = fetch<Number>(what.bias);
  for (std::size_t at = 0; at < result.size(); ++at) {
    Number value = alpha * result[at];
    if (beta != Number(0)) value += beta * c[at];
    if (!bias.empty()) value += bias[at % static_cast<std::size_t>(rows)];
    result[at] = apply(what.applies, value);
  }
  store(result, what.d);
}

template void perform(const product&, float, float);
template void perform(const product&, double, double);

}  // namespace heddle_host::blas
