// The direction vectors of Sobol sequences, as in cuRAND's set JOEKUO6.
#pragma once

namespace heddle_host::random {

// The number of dimensions that have direction vectors here.
inline constexpr unsigned int sobol_dimensions = 37;

// The 32 or 64 vectors of a dimension: bit k of an index's Gray code selects vector k. `Word` is
// unsigned int or unsigned long long. The vectors of the next dimension follow in memory.
template <typename Word>
Word* direction_vectors(unsigned int dimension);

}  // namespace heddle_host::random
