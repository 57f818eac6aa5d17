// cuRAND's log-normal distribution: the exponential of a normal number.
#pragma once
#define CURAND_LOGNORMAL_H_  // programs test for it
#include <cmath>

#include <curand_normal.h>

namespace cuda_on_host {

template <typename Real>
inline Real log_normal(Real normal, Real mean, Real deviation) {
  return std::exp(mean + deviation * normal);
}
inline float2 log_normal(float2 normal, float mean, float deviation) {
  return float2{log_normal(normal.x, mean, deviation), log_normal(normal.y, mean, deviation)};
}
inline double2 log_normal(double2 normal, double mean, double deviation) {
  return double2{log_normal(normal.x, mean, deviation), log_normal(normal.y, mean, deviation)};
}

}  // namespace cuda_on_host

#define HEDDLE_LOG_NORMAL_OF_PAIRS(State)                                                     \
  inline float2 curand_log_normal2(State* state, float mean, float deviation) {               \
    return ::cuda_on_host::log_normal(curand_normal2(state), mean, deviation);                \
  }                                                                                           \
  inline double2 curand_log_normal2_double(State* state, double mean, double deviation) {     \
    return ::cuda_on_host::log_normal(curand_normal2_double(state), mean, deviation);         \
  }                                                                                           \
  inline float curand_log_normal(State* state, float mean, float deviation) {                 \
    return ::cuda_on_host::first_or_kept(state, ::cuda_on_host::log_normal_kept, [=] {        \
      return curand_log_normal2(state, mean, deviation);                                      \
    });                                                                                       \
  }                                                                                           \
  inline double curand_log_normal_double(State* state, double mean, double deviation) {       \
    return ::cuda_on_host::first_or_kept_double(state, ::cuda_on_host::log_normal_kept, [=] { \
      return curand_log_normal2_double(state, mean, deviation);                               \
    });                                                                                       \
  }
HEDDLE_LOG_NORMAL_OF_PAIRS(curandStateXORWOW_t)
HEDDLE_LOG_NORMAL_OF_PAIRS(curandStatePhilox4_32_10_t)
HEDDLE_LOG_NORMAL_OF_PAIRS(curandStateMRG32k3a_t)
#undef HEDDLE_LOG_NORMAL_OF_PAIRS

#define HEDDLE_LOG_NORMAL_BY_INVERSION(State)                                           \
  inline float curand_log_normal(State* state, float mean, float deviation) {           \
    return ::cuda_on_host::log_normal(curand_normal(state), mean, deviation);           \
  }                                                                                     \
  inline double curand_log_normal_double(State* state, double mean, double deviation) { \
    return ::cuda_on_host::log_normal(curand_normal_double(state), mean, deviation);    \
  }
HEDDLE_LOG_NORMAL_BY_INVERSION(curandStateSobol32_t)
HEDDLE_LOG_NORMAL_BY_INVERSION(curandStateScrambledSobol32_t)
HEDDLE_LOG_NORMAL_BY_INVERSION(curandStateSobol64_t)
HEDDLE_LOG_NORMAL_BY_INVERSION(curandStateScrambledSobol64_t)
#undef HEDDLE_LOG_NORMAL_BY_INVERSION

inline float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float deviation) {
  using ::cuda_on_host::log_normal;
  const float4 normal = curand_normal4(state);
  return float4{log_normal(normal.x, mean, deviation), log_normal(normal.y, mean, deviation),
                log_normal(normal.z, mean, deviation), log_normal(normal.w, mean, deviation)};
}
inline double4 curand_log_normal4_double(curandStatePhilox4_32_10_t* state, double mean,
                                         double deviation) {
  const double2 first = curand_log_normal2_double(state, mean, deviation);
  const double2 second = curand_log_normal2_double(state, mean, deviation);
  return double4{first.x, first.y, second.x, second.y};
}
