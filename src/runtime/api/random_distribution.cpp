// The cuRAND functions that create and destroy tables of discrete distributions in device memory.
#include <cmath>
#include <cstring>
#include <vector>

#include <cuda_runtime_api.h>
#include <curand.h>
#include <curand_discrete.h>

#include "random/discrete_distribution.hpp"

namespace {

constexpr double largest_lambda = 400000;
constexpr double largest_in_table = 2000;  // a normal distribution approximates larger ones

// In device memory, the structure is followed by the limits and the aliases.
struct layout {
  explicit layout(std::size_t rows)
      : aliases_at(limits_at + rows * sizeof(double)),
        bytes(aliases_at + rows * sizeof(unsigned int)) {}
  static constexpr std::size_t limits_at = sizeof(curandDiscreteDistribution_st);
  const std::size_t aliases_at;
  const std::size_t bytes;
};

std::vector<char> image_of(const heddle_host::random::alias_table& table, double lambda,
                           char* address) {
  const layout places(table.limits.size());
  curandDiscreteDistribution_st head{};
  head.limits = reinterpret_cast<const double*>(address + places.limits_at);
  head.aliases = reinterpret_cast<const unsigned int*>(address + places.aliases_at);
  head.first = table.first;
  head.rows = static_cast<unsigned int>(table.limits.size());
  head.mean = lambda;
  head.deviation = std::sqrt(lambda);
  std::vector<char> image(places.bytes);
  std::memcpy(image.data(), &head, sizeof head);
  if (head.rows != 0) {
    std::memcpy(&image[places.limits_at], table.limits.data(), head.rows * sizeof(double));
    std::memcpy(&image[places.aliases_at], table.aliases.data(), head.rows * sizeof(unsigned int));
  }
  return image;
}

}  // namespace

curandStatus_t curandCreatePoissonDistribution(double lambda,
                                               curandDiscreteDistribution_t* distribution) {
  if (distribution == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!(lambda > 0 && lambda <= largest_lambda)) return CURAND_STATUS_OUT_OF_RANGE;
  heddle_host::random::alias_table table;
  if (lambda <= largest_in_table) table = heddle_host::random::poisson_table(lambda);
  void* address = nullptr;
  if (cudaMalloc(&address, layout(table.limits.size()).bytes) != cudaSuccess) {
    return CURAND_STATUS_ALLOCATION_FAILED;
  }
  const std::vector<char> image = image_of(table, lambda, static_cast<char*>(address));
  if (cudaMemcpy(address, image.data(), image.size(), cudaMemcpyHostToDevice) != cudaSuccess) {
    cudaFree(address);
    return CURAND_STATUS_PREEXISTING_FAILURE;
  }
  *distribution = static_cast<curandDiscreteDistribution_t>(address);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandDestroyDistribution(curandDiscreteDistribution_t distribution) {
  if (distribution == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  return cudaFree(distribution) == cudaSuccess ? CURAND_STATUS_SUCCESS
                                               : CURAND_STATUS_NOT_INITIALIZED;
}
