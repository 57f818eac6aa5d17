// cuRAND's uniform distributions: floating-point numbers in (0, 1].
#pragma once
#define CURAND_UNIFORM_H_  // programs test for it
#include <curand_mrg32k3a.h>
#include <curand_philox4x32_x.h>
#include <vector_types.h>

#include "detail/random_sobol.h"
#include "detail/random_xorwow.h"

namespace cuda_on_host {

// 32 random bits give the middle of one of 2^32 equal intervals, rounded to float.
inline float uniform_float(unsigned int bits) {
  return static_cast<float>(bits) * 0x1p-32f + 0x1p-33f;
}
inline float uniform_float(unsigned long long bits) {
  return uniform_float(static_cast<unsigned int>(bits >> 32));
}

// In double, 32 random bits give the end of an interval, and 53 bits the middle.
inline double uniform_double(unsigned int bits) { return bits * 0x1p-32 + 0x1p-32; }
inline double uniform_of_53_bits(unsigned long long bits) {
  return static_cast<double>(bits) * 0x1p-53 + 0x1p-54;
}
inline double uniform_double(unsigned long long bits) { return uniform_of_53_bits(bits >> 11); }

// 53 bits from two words: the lower word and, overlapping it, the upper one.
inline double uniform_double(unsigned int lower, unsigned int upper) {
  return uniform_of_53_bits(lower ^ static_cast<unsigned long long>(upper) << 21);
}

constexpr double mrg_to_unit = 2.3283065498378288e-10;  // 1 / mrg_modulus1, rounded down

}  // namespace cuda_on_host

#define HEDDLE_UNIFORM(State) \
  inline float curand_uniform(State* state) { return ::cuda_on_host::uniform_float(curand(state)); }
#define HEDDLE_UNIFORM_DOUBLE(State)                      \
  inline double curand_uniform_double(State* state) {     \
    return ::cuda_on_host::uniform_double(curand(state)); \
  }
HEDDLE_UNIFORM(curandStateXORWOW_t)
HEDDLE_UNIFORM(curandStatePhilox4_32_10_t)
HEDDLE_UNIFORM(curandStateSobol32_t)
HEDDLE_UNIFORM(curandStateScrambledSobol32_t)
HEDDLE_UNIFORM(curandStateSobol64_t)
HEDDLE_UNIFORM(curandStateScrambledSobol64_t)
HEDDLE_UNIFORM_DOUBLE(curandStatePhilox4_32_10_t)  // from one number, unlike XORWOW
HEDDLE_UNIFORM_DOUBLE(curandStateSobol32_t)
HEDDLE_UNIFORM_DOUBLE(curandStateScrambledSobol32_t)
HEDDLE_UNIFORM_DOUBLE(curandStateSobol64_t)
HEDDLE_UNIFORM_DOUBLE(curandStateScrambledSobol64_t)
#undef HEDDLE_UNIFORM
#undef HEDDLE_UNIFORM_DOUBLE

inline double curand_uniform_double(curandStateXORWOW_t* state) {
  const unsigned int lower = curand(state);
  return ::cuda_on_host::uniform_double(lower, curand(state));
}

inline double curand_uniform_double(curandStateMRG32k3a_t* state) {
  return ::cuda_on_host::next_of_mrg(state) * ::cuda_on_host::mrg_to_unit;
}
inline float curand_uniform(curandStateMRG32k3a_t* state) {
  return static_cast<float>(curand_uniform_double(state));
}

inline float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  using ::cuda_on_host::uniform_float;
  const uint4 bits = curand4(state);
  return float4{uniform_float(bits.x), uniform_float(bits.y), uniform_float(bits.z),
                uniform_float(bits.w)};
}
inline double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  using ::cuda_on_host::uniform_double;
  const uint4 bits = curand4(state);
  return double2{uniform_double(bits.x, bits.y), uniform_double(bits.z, bits.w)};
}
inline double4 curand_uniform4_double(curandStatePhilox4_32_10_t* state) {
  const double2 first = curand_uniform2_double(state);
  const double2 second = curand_uniform2_double(state);
  return double4{first.x, first.y, second.x, second.y};
}
