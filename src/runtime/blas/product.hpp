// A matrix product: d = act(alpha * op(a) * op(b) + beta * c + bias).
#pragma once
#include "blas/matrix.hpp"

namespace heddle_host::blas {

enum class activation { none, relu, gelu };

struct product {
  matrix a, b, c, d;  // c is not read if beta is zero
  bool transposes_a = false;
  bool transposes_b = false;
  matrix bias;  // one number for each row of d; empty if there is none
  activation applies = activation::none;

  std::int64_t inner() const { return transposes_a ? a.rows : a.columns; }
};

// Computes in this type, and sums in the order of the inner dimension.
template <typename Number>
void perform(const product& what, Number alpha, Number beta);

}  // namespace heddle_host::blas
