// cuRAND's Poisson distribution.
#pragma once
#define CURAND_POISSON_H_  // programs test for it
#include <cmath>

#include <curand_normal.h>

namespace cuda_on_host {

inline unsigned int rounded_count(double value) {
  return value < 0 ? 0 : static_cast<unsigned int>(value + 0.5);
}

// Knuth's method: counts how many uniform numbers can be multiplied before the product drops below
// exp(-lambda). Starts at exp(lambda) and compares with 1; a float holds exp(lambda) up to 88.
template <typename State>
inline unsigned int poisson_by_products(State* state, float lambda) {
  float product = std::exp(lambda) * curand_uniform(state);
  unsigned int count = 0;
  for (; product > 1; ++count) product *= curand_uniform(state);
  return count;
}

// Hörmann's transformed rejection with squeeze (The transformed rejection method for generating
// Poisson random variables, 1993; his algorithm PTRS), for lambda of at least 10.
template <typename State>
inline unsigned int poisson_by_rejection(State* state, double lambda) {
  const double log_lambda = std::log(lambda);
  const double b = 0.931 + 2.53 * std::sqrt(lambda);
  const double a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  const double squeeze = 0.9277 - 3.6224 / (b - 2);
  while (true) {
    const double u = curand_uniform_double(state) - 0.5;
    const double v = curand_uniform_double(state);
    const double margin = 0.5 - std::fabs(u);
    const double count = std::floor((2 * a / margin + b) * u + lambda + 0.43);
    if (margin >= 0.07 && v <= squeeze) return static_cast<unsigned int>(count);
    if (count < 0 || (margin < 0.013 && v > margin)) continue;
    const double density = count * log_lambda - lambda - std::lgamma(count + 1);
    if (std::log(v * inverse_alpha / (a / (margin * margin) + b)) <= density) {
      return static_cast<unsigned int>(count);
    }
  }
}

// The smallest count whose cumulative probability reaches `u`. In long double, because exp(-1000)
// underflows in double.
inline unsigned int poisson_by_inversion(double u, double lambda) {
  long double probability = std::exp(-static_cast<long double>(lambda));
  long double sum = probability;
  unsigned int count = 0;
  while (u > sum) {
    ++count;
    probability *= lambda / count;
    const long double next = sum + probability;
    if (next == sum && count > lambda) break;  // rounding keeps the sum below u
    sum = next;
  }
  return count;
}

template <typename State>
inline unsigned int poisson_of_pairs(State* state, double lambda) {
  if (lambda < 64) return poisson_by_products(state, static_cast<float>(lambda));
  if (lambda <= 4000) return poisson_by_rejection(state, lambda);
  return rounded_count(std::sqrt(lambda) * curand_normal_double(state) + lambda);
}

// Uses one number per result, so that each result of a quasirandom sequence keeps its dimension.
inline double uniform_below_one(unsigned int bits) { return bits * 0x1p-32 + 0x1p-33; }
inline double uniform_below_one(unsigned long long bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53 + 0x1p-55;
}
template <typename Word>
inline unsigned int poisson_of_bits(Word bits, double lambda) {
  if (lambda < 1000) return poisson_by_inversion(uniform_below_one(bits), lambda);
  return rounded_count(std::sqrt(lambda) * normal_double(bits) + lambda);
}

}  // namespace cuda_on_host

#define HEDDLE_POISSON(State, expression) \
  inline unsigned int curand_poisson(State* state, double lambda) { return expression; }
#define HEDDLE_POISSON_OF_PAIRS(State) \
  HEDDLE_POISSON(State, ::cuda_on_host::poisson_of_pairs(state, lambda))
#define HEDDLE_POISSON_OF_BITS(State) \
  HEDDLE_POISSON(State, ::cuda_on_host::poisson_of_bits(curand(state), lambda))
HEDDLE_POISSON_OF_PAIRS(curandStateXORWOW_t)
HEDDLE_POISSON_OF_PAIRS(curandStatePhilox4_32_10_t)
HEDDLE_POISSON_OF_PAIRS(curandStateMRG32k3a_t)
HEDDLE_POISSON_OF_BITS(curandStateSobol32_t)
HEDDLE_POISSON_OF_BITS(curandStateScrambledSobol32_t)
HEDDLE_POISSON_OF_BITS(curandStateSobol64_t)
HEDDLE_POISSON_OF_BITS(curandStateScrambledSobol64_t)
#undef HEDDLE_POISSON
#undef HEDDLE_POISSON_OF_PAIRS
#undef HEDDLE_POISSON_OF_BITS

inline uint4 curand_poisson4(curandStatePhilox4_32_10_t* state, double lambda) {
  uint4 counts;
  counts.x = curand_poisson(state, lambda);
  counts.y = curand_poisson(state, lambda);
  counts.z = curand_poisson(state, lambda);
  counts.w = curand_poisson(state, lambda);
  return counts;
}
