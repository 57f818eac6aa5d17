// Special functions that CUDA has and C++ does not, in double: erfcx, erfinv, normcdf, ...
#pragma once
#include <cmath>
#include <limits>

namespace cuda_on_host {

constexpr double pi = 3.14159265358979323846;
constexpr double root_of_pi = 1.77245385090551602730;
constexpr double root_of_half = 0.70710678118654752440;
constexpr double root_of_half_rest = -4.833646656726456726e-17;  // the rest that double cuts off

// An angle of x half turns, reduced to [-1/4, 1/4] half turns, and how many quarter turns that
// removed.
struct reduced_turn {
  double angle;  // radians
  int quarter;   // 0 .. 3
};
inline reduced_turn reduce_turn(double x) {
  const double within = std::fmod(x, 2.0);
  const double quarters = std::rint(within * 2);
  return {(within - quarters / 2) * pi, static_cast<int>(quarters) & 3};
}
inline double sine_of_half_turns(double x) {
  if (!std::isfinite(x)) return x - x;
  if (x == std::trunc(x)) return std::copysign(0.0, x);
  const reduced_turn turn = reduce_turn(x);
  const double value = turn.quarter & 1 ? std::cos(turn.angle) : std::sin(turn.angle);
  return turn.quarter & 2 ? -value : value;
}
inline double cosine_of_half_turns(double x) {
  if (!std::isfinite(x)) return x - x;
  const reduced_turn turn = reduce_turn(x);
  if (turn.angle == 0 && turn.quarter & 1) return 0;
  const double value = turn.quarter & 1 ? std::sin(turn.angle) : std::cos(turn.angle);
  return turn.quarter == 1 || turn.quarter == 2 ? -value : value;
}

// exp(x * x) without the error of rounding x * x.
inline double exp_of_square(double x) {
  const double square = x * x;
  if (square > 800) return std::numeric_limits<double>::infinity();
  return std::exp(square) * (1 + std::fma(x, x, -square));
}

// exp(x * x) * erfc(x).
inline double scaled_erfc(double x) {
  if (x != x) return x;
  if (x < 10) return x < -27 ? 2 * exp_of_square(x) : exp_of_square(x) * std::erfc(x);
  // Asymptotic series; each term is at most 2 n / 200 of the previous one, so twenty are plenty.
  const double ratio = -0.5 / x / x;
  double term = 1, sum = 1;
  for (int n = 1; n <= 20 && sum + term != sum - term; ++n) {
    term *= (2 * n - 1) * ratio;
    sum += term;
  }
  return sum / x / root_of_pi;
}

// The y with erfc(y) = x, for 0 < x <= 1/2.
inline double erfc_inverse_of_tail(double x) {
  const double logarithm = std::log(x);
  double y =
      std::sqrt(std::fmax(0.1, -logarithm - 0.5 * std::log(pi * std::fmax(1.0, -logarithm))));
  // Newton's method on log(erfc(y)), which is smooth and never underflows.
  for (int step = 0; step < 12; ++step) {
    const double scaled = scaled_erfc(y);
    const double error = std::log(scaled) - y * y - logarithm;
    const double change = error * root_of_pi / 2 * scaled;
    y += change;
    if (std::fabs(change) <= 1e-16 * y) break;
  }
  return y;
}

// The y with erf(y) = x, for |x| <= 1/2.
inline double erf_inverse_of_middle(double x) {
  double y = x * root_of_pi / 2;
  for (int step = 0; step < 12; ++step) {
    const double change = (std::erf(y) - x) * root_of_pi / 2 * std::exp(y * y);
    y -= change;
    if (std::fabs(change) <= 1e-16 * std::fabs(y)) break;
  }
  return y;
}

inline double erf_inverse(double x) {
  const double magnitude = std::fabs(x);
  if (!(magnitude <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (magnitude == 1) return std::copysign(std::numeric_limits<double>::infinity(), x);
  if (magnitude < 1e-150) return x * (root_of_pi / 2);
  if (magnitude <= 0.5) return erf_inverse_of_middle(x);
  return std::copysign(erfc_inverse_of_tail(1 - magnitude), x);
}

inline double erfc_inverse(double x) {
  if (!(x >= 0 && x <= 2)) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0) return std::numeric_limits<double>::infinity();
  if (x == 2) return -std::numeric_limits<double>::infinity();
  if (x <= 0.5) return erfc_inverse_of_tail(x);
  if (x >= 1.5) return -erfc_inverse_of_tail(2 - x);
  return x == 1 ? 0.0 : erf_inverse_of_middle(1 - x);
}

// erfc(-x / sqrt(2)) / 2, corrected for the rounding error of the quotient: the tail is steep.
inline double normal_distribution(double x) {
  const double argument = -x * root_of_half;
  if (argument > 38 || argument < -6 || argument != argument) return std::erfc(argument) / 2;
  const double error = std::fma(-x, root_of_half, -argument) - x * root_of_half_rest;
  const double slope = -2 / root_of_pi * std::exp(-argument * argument);
  return (std::erfc(argument) + slope * error) / 2;
}

// The square root of the sum of `count` squares; infinity wins over NaN, and no intermediate
// overflows.
inline double length_of(const double* components, int count) {
  double largest = 0;
  bool has_nan = false;
  for (int i = 0; i < count; ++i) {
    const double magnitude = std::fabs(components[i]);
    if (std::isinf(magnitude)) return magnitude;
    has_nan = has_nan || magnitude != magnitude;
    if (magnitude > largest) largest = magnitude;
  }
  if (has_nan) return std::numeric_limits<double>::quiet_NaN();
  if (largest == 0) return 0;
  int exponent;
  std::frexp(largest, &exponent);
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    const double scaled = std::ldexp(components[i], -exponent);
    sum += scaled * scaled;
  }
  return std::ldexp(std::sqrt(sum), exponent);
}

}  // namespace cuda_on_host
