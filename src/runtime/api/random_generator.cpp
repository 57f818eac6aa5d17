// cuRAND's host API: generators, their settings, and the functions that fill memory.
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include <curand.h>

#include "api/call.hpp"
#include "api/streams.hpp"
#include "memory/copy.hpp"
#include "random/number_source.hpp"
#include "random/sobol_directions.hpp"

namespace heddle_host::api {
namespace {

using random::distribution;
using random::request;

// Locked, because fills of one generator may run in several streams at the same time.
struct shared_source {
  std::mutex mutex;
  std::unique_ptr<random::number_source> numbers;
};

bool is_quasirandom(curandRngType_t type) { return type >= CURAND_RNG_QUASI_DEFAULT; }
bool has_64_bits(curandRngType_t type) { return type == CURAND_RNG_QUASI_SOBOL64; }

// Whether the generator makes normal numbers only in pairs.
bool needs_pairs(curandRngType_t type) {
  return type == CURAND_RNG_PSEUDO_DEFAULT || type == CURAND_RNG_PSEUDO_XORWOW ||
         type == CURAND_RNG_PSEUDO_MRG32K3A;
}

std::unique_ptr<random::number_source> make_source(const random::settings& of) {
  return is_quasirandom(of.type) ? random::make_quasirandom_source(of)
                                 : random::make_pseudorandom_source(of);
}

class generator {
 public:
  generator(curandRngType_t type, bool fills_host_memory) : fills_host_memory(fills_host_memory) {
    of_.type = type;
    if (is_quasirandom(type)) of_.order = CURAND_ORDERING_QUASI_DEFAULT;
  }

  const random::settings& of() const { return of_; }

  // Changes a setting, and restarts the sequence. Fills that have already been submitted keep their
  // numbers.
  template <typename Change>
  void change(Change change) {
    change(of_);
    source_.reset();
  }

  std::shared_ptr<shared_source> source() {
    if (source_ == nullptr) {
      source_ = std::make_shared<shared_source>();
      source_->numbers = make_source(of_);
    }
    return source_;
  }

  const bool fills_host_memory;
  cudaStream_t stream = nullptr;

 private:
  random::settings of_;
  std::shared_ptr<shared_source> source_;
};

struct generator_table {
  std::mutex mutex;
  std::unordered_map<curandGenerator_t, std::shared_ptr<generator>> alive;
};
generator_table& generators() {
  static generator_table& only = *new generator_table;
  return only;
}

std::shared_ptr<generator> find_generator(curandGenerator_t handle) {
  const std::lock_guard lock(generators().mutex);
  const auto found = generators().alive.find(handle);
  return found == generators().alive.end() ? nullptr : found->second;
}

curandStatus_t create(curandGenerator_t* handle, curandRngType_t type, bool fills_host_memory) {
  if (handle == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  random::settings probe;
  probe.type = type;
  if (make_source(probe) == nullptr) return CURAND_STATUS_TYPE_ERROR;
  auto made = std::make_shared<generator>(type, fills_host_memory);
  *handle = reinterpret_cast<curandGenerator_t>(made.get());
  const std::lock_guard lock(generators().mutex);
  generators().alive.emplace(*handle, std::move(made));
  return CURAND_STATUS_SUCCESS;
}

template <typename Body>
curandStatus_t with_generator(curandGenerator_t handle, Body body) {
  const std::shared_ptr<generator> found = find_generator(handle);
  return found == nullptr ? CURAND_STATUS_NOT_INITIALIZED : body(*found);
}

// The numbers are generated when the work runs, so a captured fill generates new ones each time.
template <typename Number>
cudaError_t fill_in_stream(generator& with, const request& what, Number* output,
                           std::size_t count) {
  const std::shared_ptr<Number[]> image(new (std::nothrow) Number[count]);
  if (image == nullptr) return cudaErrorMemoryAllocation;
  const memory::copy copy = memory::flat_copy(output, image.get(), count * sizeof(Number));
  const cudaError_t error = memory::check(copy, cudaMemcpyHostToDevice);
  if (error != cudaSuccess) return refuse(error, output);
  stream::operation operation;
  operation.run = [source = with.source(), what, image, count, copy] {
    {
      const std::lock_guard lock(source->mutex);
      source->numbers->fill(what, image.get(), count);
    }
    memory::perform(copy);
    return cudaSuccess;
  };
  operation.type = cudaGraphNodeTypeMemcpy;
  return enqueue(with.stream, std::move(operation), stream::urgency::background);
}

template <typename Number>
curandStatus_t fill(curandGenerator_t handle, const request& what, Number* output,
                    std::size_t count) {
  return with_generator(handle, [&](generator& with) {
    const random::settings& of = with.of();
    const bool is_normal =
        what.shape == distribution::normal || what.shape == distribution::log_normal;
    if (is_quasirandom(of.type) && count % of.dimensions != 0) {
      return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    }
    if (is_normal && needs_pairs(of.type) && count % 2 != 0) {
      return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    }
    if (count == 0) return CURAND_STATUS_SUCCESS;
    if (with.fills_host_memory) {
      const auto source = with.source();
      const std::lock_guard lock(source->mutex);
      source->numbers->fill(what, output, count);
      return CURAND_STATUS_SUCCESS;
    }
    if (obstacle() != cudaSuccess) return CURAND_STATUS_PREEXISTING_FAILURE;
    const cudaError_t error =
        device_call([&] { return fill_in_stream(with, what, output, count); });
    return error == cudaSuccess                 ? CURAND_STATUS_SUCCESS
           : error == cudaErrorMemoryAllocation ? CURAND_STATUS_ALLOCATION_FAILED
                                                : CURAND_STATUS_LAUNCH_FAILURE;
  });
}

template <typename Number>
curandStatus_t fill_with_bits(curandGenerator_t handle, Number* output, std::size_t count) {
  return with_generator(handle, [&](generator& with) {
    if (has_64_bits(with.of().type) != (sizeof(Number) == 8)) return CURAND_STATUS_TYPE_ERROR;
    return fill(handle, {distribution::bits}, output, count);
  });
}

bool fits(curandOrdering_t order, curandRngType_t type) {
  if (is_quasirandom(type)) return order == CURAND_ORDERING_QUASI_DEFAULT;
  if (order == CURAND_ORDERING_PSEUDO_SEEDED) {
    return type == CURAND_RNG_PSEUDO_DEFAULT || type == CURAND_RNG_PSEUDO_XORWOW;
  }
  return order >= CURAND_ORDERING_PSEUDO_BEST && order <= CURAND_ORDERING_PSEUDO_DYNAMIC;
}

template <typename Vectors>
curandStatus_t get_vectors(Vectors** vectors, bool is_known_set) {
  if (!is_known_set || vectors == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  using word = std::remove_extent_t<Vectors>;
  *vectors = reinterpret_cast<Vectors*>(random::direction_vectors<word>(0));
  return CURAND_STATUS_SUCCESS;
}

}  // namespace
}  // namespace heddle_host::api

using heddle_host::api::fill;
using heddle_host::api::fill_with_bits;
using heddle_host::api::generator;
using heddle_host::api::with_generator;
using heddle_host::random::distribution;
using heddle_host::random::settings;

curandStatus_t curandGetVersion(int* version) {
  if (version == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  switch (type) {
    case MAJOR_VERSION:
      *value = CURAND_VER_MAJOR;
      return CURAND_STATUS_SUCCESS;
    case MINOR_VERSION:
      *value = CURAND_VER_MINOR;
      return CURAND_STATUS_SUCCESS;
    case PATCH_LEVEL:
      *value = CURAND_VER_PATCH;
      return CURAND_STATUS_SUCCESS;
  }
  return CURAND_STATUS_OUT_OF_RANGE;
}

curandStatus_t curandCreateGenerator(curandGenerator_t* handle, curandRngType_t type) {
  return heddle_host::api::create(handle, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* handle, curandRngType_t type) {
  return heddle_host::api::create(handle, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t handle) {
  auto& table = heddle_host::api::generators();
  const std::lock_guard lock(table.mutex);
  return table.alive.erase(handle) == 0 ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t handle, cudaStream_t stream) {
  return with_generator(handle, [&](generator& with) {
    with.stream = stream;
    return CURAND_STATUS_SUCCESS;
  });
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t handle,
                                                  unsigned long long seed) {
  return with_generator(handle, [&](generator& with) {
    if (heddle_host::api::is_quasirandom(with.of().type)) return CURAND_STATUS_TYPE_ERROR;
    with.change([&](settings& of) { of.seed = seed; });
    return CURAND_STATUS_SUCCESS;
  });
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t handle, unsigned long long offset) {
  return with_generator(handle, [&](generator& with) {
    const curandRngType_t type = with.of().type;
    if (type == CURAND_RNG_PSEUDO_MT19937 || type == CURAND_RNG_PSEUDO_MTGP32) {
      return CURAND_STATUS_TYPE_ERROR;
    }
    with.change([&](settings& of) { of.offset = offset; });
    return CURAND_STATUS_SUCCESS;
  });
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t handle, curandOrdering_t order) {
  return with_generator(handle, [&](generator& with) {
    if (!heddle_host::api::fits(order, with.of().type)) return CURAND_STATUS_OUT_OF_RANGE;
    with.change([&](settings& of) { of.order = order; });
    return CURAND_STATUS_SUCCESS;
  });
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t handle,
                                                       unsigned int dimensions) {
  return with_generator(handle, [&](generator& with) {
    if (!heddle_host::api::is_quasirandom(with.of().type)) return CURAND_STATUS_TYPE_ERROR;
    if (dimensions == 0 || dimensions > heddle_host::random::sobol_dimensions) {
      return CURAND_STATUS_OUT_OF_RANGE;
    }
    with.change([&](settings& of) { of.dimensions = dimensions; });
    return CURAND_STATUS_SUCCESS;
  });
}

// Optional: the first fill does this too.
curandStatus_t curandGenerateSeeds(curandGenerator_t handle) {
  return with_generator(handle, [](generator& with) {
    with.source();
    return CURAND_STATUS_SUCCESS;
  });
}

curandStatus_t curandGenerate(curandGenerator_t handle, unsigned int* output, size_t count) {
  return fill_with_bits(handle, output, count);
}
curandStatus_t curandGenerateLongLong(curandGenerator_t handle, unsigned long long* output,
                                      size_t count) {
  return fill_with_bits(handle, output, count);
}
curandStatus_t curandGenerateUniform(curandGenerator_t handle, float* output, size_t count) {
  return fill(handle, {distribution::uniform}, output, count);
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t handle, double* output, size_t count) {
  return fill(handle, {distribution::uniform}, output, count);
}
curandStatus_t curandGenerateNormal(curandGenerator_t handle, float* output, size_t count,
                                    float mean, float deviation) {
  return fill(handle, {distribution::normal, mean, deviation}, output, count);
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t handle, double* output, size_t count,
                                          double mean, double deviation) {
  return fill(handle, {distribution::normal, mean, deviation}, output, count);
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t handle, float* output, size_t count,
                                       float mean, float deviation) {
  return fill(handle, {distribution::log_normal, mean, deviation}, output, count);
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t handle, double* output, size_t count,
                                             double mean, double deviation) {
  return fill(handle, {distribution::log_normal, mean, deviation}, output, count);
}
curandStatus_t curandGeneratePoisson(curandGenerator_t handle, unsigned int* output, size_t count,
                                     double lambda) {
  if (!(lambda > 0 && lambda <= 400000)) return CURAND_STATUS_OUT_OF_RANGE;
  return fill(handle, {distribution::poisson, lambda}, output, count);
}

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t* vectors[],
                                           curandDirectionVectorSet_t set) {
  return heddle_host::api::get_vectors(vectors, set == CURAND_DIRECTION_VECTORS_32_JOEKUO6);
}
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t* vectors[],
                                           curandDirectionVectorSet_t set) {
  return heddle_host::api::get_vectors(vectors, set == CURAND_DIRECTION_VECTORS_64_JOEKUO6);
}
