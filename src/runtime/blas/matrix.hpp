// Matrices and vectors in device memory, and access to their numbers.
#pragma once
#include <cstdint>
#include <vector>

#include <library_types.h>

#include "memory/copy.hpp"

namespace heddle_host::blas {

// Column-major; columns are `leading` elements apart. A vector with a step is a matrix of one row.
struct matrix {
  const void* at = nullptr;
  cudaDataType type = CUDA_R_32F;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t leading = 0;

  bool is_empty() const { return rows == 0 || columns == 0; }
  matrix moved_by(std::int64_t elements) const;
};

// `count` elements that are |step| apart, beginning with the first one in memory.
matrix vector_at(const void* at, cudaDataType type, std::int64_t count, std::int64_t step);

// 0 if the type is not supported.
std::size_t element_bytes(cudaDataType type);

// Whether the whole matrix lies in device memory.
bool is_usable(const matrix& what);

// Read and write the numbers, column by column. The checker sees these accesses as the device's.
template <typename Number>
std::vector<Number> fetch(const matrix& from);
template <typename Number>
void store(const std::vector<Number>& numbers, const matrix& to);

}  // namespace heddle_host::blas
