// cuRAND's normal distribution. Pseudorandom generators make pairs by the Box-Muller transform;
// quasirandom ones make single numbers by inverting the distribution function.
#pragma once
#define CURAND_NORMAL_H_  // programs test for it
#include <cmath>

#include <curand_uniform.h>
#include <math_functions.h>

namespace cuda_on_host {

inline float2 box_muller(float radius_source, float angle) {
  const float radius = std::sqrt(-2.0f * std::log(radius_source));
  return float2{radius * std::sin(angle), radius * std::cos(angle)};
}
// The angle is in half turns.
inline double2 box_muller(double radius_source, double half_turns) {
  const double radius = std::sqrt(-2.0 * std::log(radius_source));
  double sine, cosine;
  sincospi(half_turns, &sine, &cosine);
  return double2{radius * sine, radius * cosine};
}

inline float2 normal_pair(unsigned int first, unsigned int second) {
  constexpr float turn = 6.2831855f;
  // A GPU fuses this product and sum, so the result is rounded once.
  const double angle =
      static_cast<double>(static_cast<float>(second)) * (turn * 0x1p-32) + turn * 0x1p-33;
  return box_muller(uniform_float(first), static_cast<float>(angle));
}
inline double2 normal_pair(const uint4& bits) {
  return box_muller(uniform_double(bits.x, bits.y), 2 * uniform_double(bits.z, bits.w));
}

// The quantile of the standard normal distribution at a probability below one half. The upper half
// mirrors the lower one, because floating-point numbers are more precise near 0 than near 1.
template <typename Real, typename Probability, typename Inverse>
inline Real mirrored_normal(bool is_upper, Probability probability, Inverse erfc_inverse) {
  const Real magnitude =
      static_cast<Real>(1.41421356237309504880) * erfc_inverse(2 * static_cast<Real>(probability));
  return is_upper ? magnitude : -magnitude;
}
inline float normal_float(unsigned int bits) {
  const bool is_upper = bits > 0x80000000u;
  return mirrored_normal<float>(is_upper, uniform_float(is_upper ? ~bits : bits),
                                [](float x) { return erfcinvf(x); });
}
inline float normal_float(unsigned long long bits) {
  return normal_float(static_cast<unsigned int>(bits >> 32));
}
inline double normal_double(unsigned int bits) {
  const bool is_upper = bits > 0x80000000u;
  const double probability = (is_upper ? ~bits : bits) * 0x1p-32 + 0x1p-33;
  return mirrored_normal<double>(is_upper, probability, [](double x) { return erfcinv(x); });
}
inline double normal_double(unsigned long long bits) {
  constexpr unsigned long long half = 1ull << 52, all = (1ull << 53) - 1;
  const unsigned long long upper_bits = bits >> 11;
  const bool is_upper = upper_bits > half;
  return mirrored_normal<double>(is_upper,
                                 uniform_of_53_bits(is_upper ? all - upper_bits : upper_bits),
                                 [](double x) { return erfcinv(x); });
}

// Which number a state keeps for the next call: the second one of a pair. A log-normal number has
// been transformed already, so it cannot serve as a normal one.
enum kept_normal : int { nothing_kept = 0, normal_kept = 1, log_normal_kept = 2 };

// Returns the number that the state keeps, or makes a pair and keeps its second number.
template <typename State, typename MakePair>
inline float first_or_kept(State* state, kept_normal kind, MakePair make_pair) {
  if (state->boxmuller_flag == kind) {
    state->boxmuller_flag = nothing_kept;
    return state->boxmuller_extra;
  }
  const float2 pair = make_pair();
  state->boxmuller_extra = pair.y;
  state->boxmuller_flag = kind;
  return pair.x;
}
template <typename State, typename MakePair>
inline double first_or_kept_double(State* state, kept_normal kind, MakePair make_pair) {
  if (state->boxmuller_flag_double == kind) {
    state->boxmuller_flag_double = nothing_kept;
    return state->boxmuller_extra_double;
  }
  const double2 pair = make_pair();
  state->boxmuller_extra_double = pair.y;
  state->boxmuller_flag_double = kind;
  return pair.x;
}

}  // namespace cuda_on_host

inline float2 curand_normal2(curandStateXORWOW_t* state) {
  const unsigned int first = curand(state);
  return ::cuda_on_host::normal_pair(first, curand(state));
}
inline float2 curand_normal2(curandStatePhilox4_32_10_t* state) {
  const unsigned int first = curand(state);
  return ::cuda_on_host::normal_pair(first, curand(state));
}
inline float2 curand_normal2(curandStateMRG32k3a_t* state) {
  const float first = curand_uniform(state);
  return ::cuda_on_host::box_muller(first, curand_uniform(state) * 6.2831855f);
}
inline float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const uint4 bits = curand4(state);
  const float2 first = ::cuda_on_host::normal_pair(bits.x, bits.y);
  const float2 second = ::cuda_on_host::normal_pair(bits.z, bits.w);
  return float4{first.x, first.y, second.x, second.y};
}

inline double2 curand_normal2_double(curandStateXORWOW_t* state) {
  uint4 bits;
  bits.x = curand(state);
  bits.y = curand(state);
  bits.z = curand(state);
  bits.w = curand(state);
  return ::cuda_on_host::normal_pair(bits);
}
inline double2 curand_normal2_double(curandStatePhilox4_32_10_t* state) {
  return ::cuda_on_host::normal_pair(curand4(state));
}
inline double2 curand_normal2_double(curandStateMRG32k3a_t* state) {
  const double first = curand_uniform_double(state);
  return ::cuda_on_host::box_muller(first, 2 * curand_uniform_double(state));
}
inline double4 curand_normal4_double(curandStatePhilox4_32_10_t* state) {
  const double2 first = curand_normal2_double(state);
  const double2 second = curand_normal2_double(state);
  return double4{first.x, first.y, second.x, second.y};
}

#define HEDDLE_NORMAL_OF_PAIRS(State)                                                              \
  inline float curand_normal(State* state) {                                                       \
    return ::cuda_on_host::first_or_kept(state, ::cuda_on_host::normal_kept,                       \
                                         [state] { return curand_normal2(state); });               \
  }                                                                                                \
  inline double curand_normal_double(State* state) {                                               \
    return ::cuda_on_host::first_or_kept_double(state, ::cuda_on_host::normal_kept,                \
                                                [state] { return curand_normal2_double(state); }); \
  }
HEDDLE_NORMAL_OF_PAIRS(curandStateXORWOW_t)
HEDDLE_NORMAL_OF_PAIRS(curandStatePhilox4_32_10_t)
HEDDLE_NORMAL_OF_PAIRS(curandStateMRG32k3a_t)
#undef HEDDLE_NORMAL_OF_PAIRS

#define HEDDLE_NORMAL_BY_INVERSION(State)                                                          \
  inline float curand_normal(State* state) { return ::cuda_on_host::normal_float(curand(state)); } \
  inline double curand_normal_double(State* state) {                                               \
    return ::cuda_on_host::normal_double(curand(state));                                           \
  }
HEDDLE_NORMAL_BY_INVERSION(curandStateSobol32_t)
HEDDLE_NORMAL_BY_INVERSION(curandStateScrambledSobol32_t)
HEDDLE_NORMAL_BY_INVERSION(curandStateSobol64_t)
HEDDLE_NORMAL_BY_INVERSION(curandStateScrambledSobol64_t)
#undef HEDDLE_NORMAL_BY_INVERSION
