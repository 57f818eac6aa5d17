// Floats and doubles that are hard to round to a format of 8, 6 or 4 bits.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "random_bits.hpp"
#include "tiny_reference.hpp"

// Every exponent of a float with fractions of few bits, their neighbours and random ones, both
// signs; infinities are among them, NaN is not.
inline std::vector<float> float_samples() {
  std::mt19937_64 engine(heddle_test::seed());
  std::vector<std::uint32_t> fractions;
  for (std::uint32_t top = 0; top < 32; ++top) {
    for (std::uint32_t step : {0u, 1u, 0x7fffffu})
      fractions.push_back(((top << 18) + step) & 0x7fffff);
  }
  for (int i = 0; i < 32; ++i) fractions.push_back(static_cast<std::uint32_t>(engine()) & 0x7fffff);
  std::vector<float> samples;
  for (std::uint32_t exponent = 0; exponent < 255; ++exponent) {
    for (std::uint32_t fraction : fractions) {
      samples.push_back(as_bits<float>(exponent << 23 | fraction));
      samples.push_back(as_bits<float>(0x80000000u | exponent << 23 | fraction));
    }
  }
  samples.push_back(std::numeric_limits<float>::infinity());
  samples.push_back(-std::numeric_limits<float>::infinity());
  return samples;
}

// The codes and the midpoints between them as doubles, and the neighbouring doubles.
inline std::vector<double> midpoint_samples(const tiny_reference& reference) {
  std::vector<double> samples;
  for (int code = 0; code <= reference.largest(); ++code) {
    for (double centre : {reference.value(code), reference.midpoint(code)}) {
      for (double number :
           {std::nextafter(centre, 0.0), centre, std::nextafter(centre, HUGE_VAL)}) {
        samples.push_back(number);
        samples.push_back(-number);
      }
    }
  }
  for (double number : {1e300, 1e-300, 5e-324, HUGE_VAL}) {
    samples.push_back(number);
    samples.push_back(-number);
  }
  return samples;
}

// NaNs of both signs, quiet and signalling, with different payloads.
inline std::vector<float> float_nans() {
  std::vector<float> nans;
  for (std::uint32_t bits : {0x7f800001u, 0x7fa00000u, 0x7fc00000u, 0x7fffffffu}) {
    nans.push_back(as_bits<float>(bits));
    nans.push_back(as_bits<float>(bits | 0x80000000u));
  }
  return nans;
}
