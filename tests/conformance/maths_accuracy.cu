// Functions whose error CUDA bounds in units in the last place, against a more precise reference.
#include <cmath>
#include <limits>

#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

inline constexpr unsigned samples = 4096;
inline constexpr double bound = 12;  // in ulp; no function below has a larger bound in its range

template <typename Function, typename T>
__global__ void evaluate(Function function, T low, T high, T* arguments, T* results) {
  const unsigned i = rank_in_grid();
  const T x = low + (high - low) * (static_cast<T>(mix(i) % 1000003) / static_cast<T>(1000003));
  arguments[i] = x;
  results[i] = function(x);
}

// Prints how many results are further from the reference than the bound.
template <typename T, typename Function, typename Reference>
void show_accuracy(const char* name, Function function, Reference reference, T low, T high) {
  const buffer<T> arguments(samples), results(samples);
  evaluate<Function, T><<<samples / 128, 128>>>(function, low, high, arguments, results);
  const std::vector<T> x = arguments.read(), y = results.read();
  unsigned outside = 0;
  for (unsigned i = 0; i < samples; ++i) {
    const long double wanted = reference(static_cast<long double>(x[i]));
    const T near = static_cast<T>(std::fabs(wanted));
    const long double unit = std::nextafter(near, std::numeric_limits<T>::infinity()) - near;
    if (!(std::fabs(static_cast<long double>(y[i]) - wanted) <= bound * unit)) ++outside;
  }
  std::printf("%s: %u of %u outside the bound\n", name, outside, samples);
}

#define SINGLE(name, low, high)                                                                   \
  struct single_##name {                                                                          \
    __device__ float operator()(float x) const { return name##f(x); }                             \
  };                                                                                              \
  static void accuracy_of_single_##name() {                                                       \
    show_accuracy<float>(                                                                         \
        #name "f", single_##name{}, [](long double x) { return std::name(x); }, low##f, high##f); \
  }
#define DOUBLE(name, low, high)                                                         \
  struct double_##name {                                                                \
    __device__ double operator()(double x) const { return ::name(x); }                  \
  };                                                                                    \
  static void accuracy_of_double_##name() {                                             \
    show_accuracy<double>(                                                              \
        #name, double_##name{}, [](long double x) { return std::name(x); }, low, high); \
  }
#define BOTH(name, low, high) SINGLE(name, low, high) DOUBLE(name, low, high)

BOTH(exp, -20.0, 20.0)
BOTH(exp2, -20.0, 20.0)
BOTH(expm1, -5.0, 5.0)
BOTH(log, 0.001, 1000.0)
BOTH(log2, 0.001, 1000.0)
BOTH(log10, 0.001, 1000.0)
BOTH(log1p, -0.9, 100.0)
BOTH(sin, -30.0, 30.0)
BOTH(cos, -30.0, 30.0)
BOTH(tan, -1.5, 1.5)
BOTH(asin, -1.0, 1.0)
BOTH(acos, -1.0, 1.0)
BOTH(atan, -50.0, 50.0)
BOTH(sinh, -8.0, 8.0)
BOTH(cosh, -8.0, 8.0)
BOTH(tanh, -5.0, 5.0)
BOTH(asinh, -50.0, 50.0)
BOTH(acosh, 1.0, 50.0)
BOTH(atanh, -0.9, 0.9)
BOTH(cbrt, -100.0, 100.0)
BOTH(erf, -3.0, 3.0)
BOTH(erfc, -2.0, 4.0)
BOTH(tgamma, 0.5, 20.0)
BOTH(lgamma, 3.0, 100.0)

#define FOR_EACH_FUNCTION(kind)                                                             \
  kind##exp(), kind##exp2(), kind##expm1(), kind##log(), kind##log2(), kind##log10(),       \
      kind##log1p(), kind##sin(), kind##cos(), kind##tan(), kind##asin(), kind##acos(),     \
      kind##atan(), kind##sinh(), kind##cosh(), kind##tanh(), kind##asinh(), kind##acosh(), \
      kind##atanh(), kind##cbrt(), kind##erf(), kind##erfc(), kind##tgamma(), kind##lgamma()

CASE(float_functions_keep_their_bounds) { FOR_EACH_FUNCTION(accuracy_of_single_); }

CASE(double_functions_keep_their_bounds) { FOR_EACH_FUNCTION(accuracy_of_double_); }

struct reciprocal_root {
  __device__ float operator()(float x) const { return rsqrtf(x); }
};
struct power {
  __device__ float operator()(float x) const { return powf(x, 2.7f); }
};
struct sine_of_pair {
  __device__ float operator()(float x) const {
    float sine, cosine;
    sincosf(x, &sine, &cosine);
    return sine;
  }
};
struct cosine_of_pi {
  __device__ float operator()(float x) const { return cospif(x); }
};
struct length {
  __device__ float operator()(float x) const { return hypotf(x, 3.0f); }
};
struct angle {
  __device__ float operator()(float x) const { return atan2f(x, -2.0f); }
};
struct normal_distribution {
  __device__ float operator()(float x) const { return normcdff(x); }
};

CASE(cuda_only_functions_keep_their_bounds) {
  const long double pi = 3.14159265358979323846264338327950288L;
  show_accuracy<float>(
      "rsqrtf", reciprocal_root{}, [](long double x) { return 1 / std::sqrt(x); }, 0.01f, 100.0f);
  show_accuracy<float>(
      "powf", power{}, [](long double x) { return std::pow(x, static_cast<long double>(2.7f)); },
      0.01f, 100.0f);
  show_accuracy<float>(
      "sincosf", sine_of_pair{}, [](long double x) { return std::sin(x); }, -10.0f, 10.0f);
  show_accuracy<float>(
      "cospif", cosine_of_pi{}, [pi](long double x) { return std::cos(pi * x); }, -0.4f, 0.4f);
  show_accuracy<float>(
      "hypotf", length{}, [](long double x) { return std::hypot(x, 3.0L); }, -100.0f, 100.0f);
  show_accuracy<float>(
      "atan2f", angle{}, [](long double x) { return std::atan2(x, -2.0L); }, 0.1f, 40.0f);
  show_accuracy<float>(
      "normcdff", normal_distribution{},
      [](long double x) { return std::erfc(-x / std::sqrt(2.0L)) / 2; }, -2.0f, 4.0f);
}

__global__ void fast_functions(unsigned* outside) {
  // the fast functions are imprecise: only the order of magnitude of their error is checked
  const float x = 0.5f + static_cast<float>(mix(rank_in_grid()) % 1000) / 1000;
  const float pairs[8][2] = {{__expf(x), expf(x)},
                             {__logf(x + 1), logf(x + 1)},
                             {__sinf(x), sinf(x)},
                             {__cosf(x - 0.5f), cosf(x - 0.5f)},
                             {__powf(x, 1.5f), powf(x, 1.5f)},
                             {__fdividef(x, 3.0f), x / 3.0f},
                             {__exp10f(x), exp10f(x)},
                             {__log2f(x + 1), log2f(x + 1)}};
  for (int i = 0; i < 8; ++i)
    if (!(fabsf(pairs[i][0] - pairs[i][1]) <= 1e-4f * fabsf(pairs[i][1])))
      atomicAdd(&outside[i], 1u);
}

CASE(fast_functions_are_near_the_exact_ones) {
  const buffer<unsigned> outside(8, 0);
  fast_functions<<<8, 128>>>(outside);
  show("outside", outside);
}
