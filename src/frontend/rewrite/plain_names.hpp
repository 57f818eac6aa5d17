// Names that never make a lane need another one: plain types, pure functions, constants.
#pragma once
#include <string_view>

#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

// Words that make up arithmetic types: `int`, `size_t`, `const` and others.
bool is_arithmetic_word(std::string_view word);
// `float4`, `dim3`.
bool is_vector_type(std::string_view word);
// `make_float4`
bool makes_vector(std::string_view word);

enum class known_function {
  none,
  pure,   // its result depends only on its arguments, and it has no side effects
  loads,  // also reads memory: `__ldg`
};
known_function find_known_function(std::string_view name);

bool is_atomic_function(std::string_view name);  // atomicAdd and the like

bool is_built_in_variable(std::string_view name);  // threadIdx, blockIdx, blockDim, gridDim

enum class known_variable {
  none,
  constant,   // `constexpr int n = 4;`
  memory,     // `__constant__ float weights[9];`
  type,       // `using real = float;`
  vector,     // `using pixel = uchar4;`
  structure,  // `struct point { float x, y; };`
  objects,    // like memory, of vectors or structures
};
// What a name means that is declared outside functions. `none` if its declarations differ or one of
// them has a type that is not plain.
// `depth`: how many structures contain the name.
known_variable find_known_variable(const structure& shape, std::string_view name, int depth = 0);

}  // namespace heddle::frontend
