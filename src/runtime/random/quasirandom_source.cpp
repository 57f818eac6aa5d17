// Quasirandom numbers in cuRAND's order: all of the first dimension, then all of the second, etc.
#include <curand_kernel.h>

#include "random/number_source.hpp"
#include "random/sobol_directions.hpp"

namespace heddle_host::random {
namespace {

template <typename State>
void draw(State* state, const request& what, unsigned int* to) {
  *to = what.shape == distribution::poisson ? curand_poisson(state, what.mean)
                                            : static_cast<unsigned int>(curand(state));
}
template <typename State>
void draw(State* state, const request&, unsigned long long* to) {
  *to = curand(state);
}
template <typename State>
void draw(State* state, const request& what, float* to) {
  const float mean = static_cast<float>(what.mean), deviation = static_cast<float>(what.deviation);
  *to = what.shape == distribution::uniform      ? curand_uniform(state)
        : what.shape == distribution::log_normal ? curand_log_normal(state, mean, deviation)
                                                 : mean + deviation * curand_normal(state);
}
template <typename State>
void draw(State* state, const request& what, double* to) {
  const double mean = what.mean, deviation = what.deviation;
  *to = what.shape == distribution::uniform      ? curand_uniform_double(state)
        : what.shape == distribution::log_normal ? curand_log_normal_double(state, mean, deviation)
                                                 : mean + deviation * curand_normal_double(state);
}

template <typename State, typename Word>
class sobol_points final : public number_source {
 public:
  explicit sobol_points(const settings& of)
      : dimensions_(of.dimensions), next_point_(static_cast<Word>(of.offset)) {}

  void fill(const request& what, unsigned int* output, std::size_t count) override {
    fill_with(what, output, count);
  }
  void fill(const request& what, unsigned long long* output, std::size_t count) override {
    fill_with(what, output, count);
  }
  void fill(const request& what, float* output, std::size_t count) override {
    fill_with(what, output, count);
  }
  void fill(const request& what, double* output, std::size_t count) override {
    fill_with(what, output, count);
  }

 private:
  template <typename Number>
  void fill_with(const request& what, Number* output, std::size_t count) {
    const std::size_t points = count / dimensions_;
    for (unsigned int dimension = 0; dimension < dimensions_; ++dimension) {
      State state;
      curand_init(direction_vectors<Word>(dimension), next_point_, &state);
      for (std::size_t i = 0; i < points; ++i) draw(&state, what, output++);
    }
    next_point_ += static_cast<Word>(points);
  }

  const unsigned int dimensions_;
  Word next_point_;
};

}  // namespace

std::unique_ptr<number_source> make_quasirandom_source(const settings& of) {
  switch (of.type) {
    case CURAND_RNG_QUASI_DEFAULT:
    case CURAND_RNG_QUASI_SOBOL32:
      return std::make_unique<sobol_points<curandStateSobol32_t, unsigned int>>(of);
    case CURAND_RNG_QUASI_SOBOL64:
      return std::make_unique<sobol_points<curandStateSobol64_t, unsigned long long>>(of);
    default:
      return nullptr;
  }
}

}  // namespace heddle_host::random
