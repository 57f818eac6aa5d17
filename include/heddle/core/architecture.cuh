// Queries a device's capabilities from the host and throws a readable error if one is missing.
#pragma once
#include <heddle/core/error.hpp>
#include <heddle/core/features.cuh>
#include <heddle/core/lane.cuh>

#include <cstddef>
#include <string>

namespace heddle {

// The first architecture with the feature, as a run-time value.
[[nodiscard]] inline int first_architecture(feature wanted) {
  switch (wanted) {
    case feature::warp_reduction:
      return first_architecture_with<feature::warp_reduction>;
    case feature::asynchronous_copy:
      return first_architecture_with<feature::asynchronous_copy>;
    case feature::bulk_copy:
      return first_architecture_with<feature::bulk_copy>;
    case feature::cluster:
      return first_architecture_with<feature::cluster>;
    case feature::early_start:
      return first_architecture_with<feature::early_start>;
    case feature::wide_atomic:
      return first_architecture_with<feature::wide_atomic>;
    case feature::vector_atomic:
      return first_architecture_with<feature::vector_atomic>;
  }
  throw error(cudaErrorInvalidValue, "there is no such feature");
}

// A description of the feature, for error messages.
[[nodiscard]] inline const char* name_of(feature wanted) {
  switch (wanted) {
    case feature::warp_reduction:
      return "integer reductions of a warp in one instruction (redux.sync)";
    case feature::asynchronous_copy:
      return "asynchronous copies to shared memory (cp.async)";
    case feature::bulk_copy:
      return "bulk asynchronous copies (cp.async.bulk)";
    case feature::cluster:
      return "thread block clusters";
    case feature::early_start:
      return "kernels that start before the one before has ended";
    case feature::wide_atomic:
      return "128-bit atomics";
    case feature::vector_atomic:
      return "atomic additions to float2 and float4";
  }
  throw error(cudaErrorInvalidValue, "there is no such feature");
}

// The properties of a device that the library depends on.
struct device_facts {
  int device = 0;
  std::string name;
  int architecture = 0;  // ten times the compute capability
  int lanes_per_warp = 0;
  int multiprocessors = 0;
  int threads_per_multiprocessor = 0;      // resident at once, at most
  std::size_t shared_bytes_per_block = 0;  // the most that a launch may request
  std::size_t second_level_cache_bytes = 0;

  // The maximum number of threads resident on the device at once.
  [[nodiscard]] std::size_t resident_threads() const {
    return static_cast<std::size_t>(multiprocessors) *
           static_cast<std::size_t>(threads_per_multiprocessor);
  }
  // Whether the device has the feature. has_feature says whether code was compiled to use it.
  [[nodiscard]] bool has(feature wanted) const {
    return architecture >= first_architecture(wanted);
  }
};

namespace detail {
// "device 0 (NVIDIA H200, compute capability 9.0)"
[[nodiscard]] inline std::string words_for(const device_facts& facts) {
  return "device " + std::to_string(facts.device) + " (" + facts.name + ", compute capability " +
         std::to_string(facts.architecture / 10) + "." + std::to_string(facts.architecture % 10) +
         ")";
}
}  // namespace detail

// Throws heddle::error if the library cannot run on the device: it is older than Turing, or its
// warps do not have 32 lanes.
inline void require_supported(const device_facts& facts,
                              source_location where = source_location::current()) {
  if (facts.architecture < oldest_architecture) {
    throw error(cudaErrorNotSupported,
                detail::words_for(facts) +
                    " is older than Turing (compute capability 7.5), the oldest that heddle serves",
                where);
  }
  if (facts.lanes_per_warp != warp_size) {
    throw error(cudaErrorNotSupported,
                detail::words_for(facts) + " has warps of " + std::to_string(facts.lanes_per_warp) +
                    " lanes; heddle is written for " + std::to_string(warp_size),
                where);
  }
}

// Throws heddle::error, naming the feature, if the device lacks it.
inline void require_feature(const device_facts& facts, feature wanted,
                            source_location where = source_location::current()) {
  if (facts.has(wanted)) return;
  const int first = first_architecture(wanted);
  throw error(cudaErrorNotSupported,
              detail::words_for(facts) + " has no " + name_of(wanted) +
                  ", which came with compute capability " + std::to_string(first / 10) + "." +
                  std::to_string(first % 10),
              where);
}

// Queries the driver for a device's properties. Does not check that the library supports the
// device; throws only if the query fails.
//   cost        one driver call; keep the result
[[nodiscard]] inline device_facts facts_of_device(
    int device, source_location where = source_location::current()) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device), where);
  return {device,
          properties.name,
          properties.major * 10 + properties.minor,
          properties.warpSize,
          properties.multiProcessorCount,
          properties.maxThreadsPerMultiProcessor,
          properties.sharedMemPerBlockOptin,
          static_cast<std::size_t>(properties.l2CacheSize)};
}

// The calling thread's current device. Throws if the library cannot run on it.
[[nodiscard]] inline device_facts current_device(
    source_location where = source_location::current()) {
  int device = 0;
  check(cudaGetDevice(&device), where);
  device_facts facts = facts_of_device(device, where);
  require_supported(facts, where);
  return facts;
}

// The architecture that a kernel was compiled for, which decides what has_feature is in its code.
// PTX for an old architecture also runs on a newer card, but without that card's features. Throws
// if the program contains no code of the kernel that runs on the current device.
//   kernel      the function that is launched with <<<…>>>
template <typename... Parameters>
[[nodiscard]] int architecture_of_kernel(void (*kernel)(Parameters...),
                                         source_location where = source_location::current()) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel), where);
  return attributes.ptxVersion;
}

}  // namespace heddle
