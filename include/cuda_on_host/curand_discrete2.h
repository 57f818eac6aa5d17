// cuRAND's discrete distributions: numbers from a table in device memory.
#pragma once
#include <curand.h>
#include <curand_discrete.h>
#include <curand_poisson.h>

namespace cuda_on_host {

// The integer part of `u` times the number of rows is the row; the fraction picks value or alias.
inline unsigned int value_of_row(const curandDiscreteDistribution_st& distribution, double u) {
  const double scaled = u * distribution.rows;
  unsigned int row = static_cast<unsigned int>(scaled);
  if (row == distribution.rows) --row;  // the product was rounded up
  return scaled - row < distribution.limits[row] ? distribution.first + row
                                                 : distribution.aliases[row];
}

template <typename State>
inline unsigned int discrete_number(State* state, curandDiscreteDistribution_t distribution) {
  if (distribution->rows != 0) return value_of_row(*distribution, uniform_below_one(curand(state)));
  return rounded_count(distribution->deviation * curand_normal_double(state) + distribution->mean);
}

}  // namespace cuda_on_host

#define HEDDLE_DISCRETE(State)                                                                   \
  inline unsigned int curand_discrete(State* state, curandDiscreteDistribution_t distribution) { \
    return ::cuda_on_host::discrete_number(state, distribution);                                 \
  }
HEDDLE_DISCRETE(curandStateXORWOW_t)
HEDDLE_DISCRETE(curandStatePhilox4_32_10_t)
HEDDLE_DISCRETE(curandStateMRG32k3a_t)
HEDDLE_DISCRETE(curandStateSobol32_t)
HEDDLE_DISCRETE(curandStateScrambledSobol32_t)
HEDDLE_DISCRETE(curandStateSobol64_t)
HEDDLE_DISCRETE(curandStateScrambledSobol64_t)
#undef HEDDLE_DISCRETE

inline uint4 curand_discrete4(curandStatePhilox4_32_10_t* state,
                              curandDiscreteDistribution_t distribution) {
  uint4 values;
  values.x = curand_discrete(state, distribution);
  values.y = curand_discrete(state, distribution);
  values.z = curand_discrete(state, distribution);
  values.w = curand_discrete(state, distribution);
  return values;
}
