// The number sequence of a generator of cuRAND's host API. Each call fills host memory with the
// next numbers for the generator's type, seed and offset.
#pragma once
#include <cstddef>
#include <memory>

#include <curand.h>

namespace heddle_host::random {

enum class distribution { bits, uniform, normal, log_normal, poisson };

struct request {
  distribution shape;
  double mean = 0;  // lambda of a Poisson distribution
  double deviation = 1;
};

// What determines the numbers.
struct settings {
  curandRngType_t type = CURAND_RNG_PSEUDO_XORWOW;
  curandOrdering_t order = CURAND_ORDERING_PSEUDO_DEFAULT;
  unsigned long long seed = 0;
  unsigned long long offset = 0;
  unsigned int dimensions = 1;
};

class number_source {
 public:
  virtual ~number_source() = default;
  virtual void fill(const request& what, unsigned int* output, std::size_t count) = 0;
  virtual void fill(const request& what, unsigned long long* output, std::size_t count) = 0;
  virtual void fill(const request& what, float* output, std::size_t count) = 0;
  virtual void fill(const request& what, double* output, std::size_t count) = 0;
};

// Each returns null for types that it does not support.
std::unique_ptr<number_source> make_pseudorandom_source(const settings& of);
std::unique_ptr<number_source> make_quasirandom_source(const settings& of);

}  // namespace heddle_host::random
