// Queries the machine that a bench runs on.
#pragma once
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <ctime>
#include <cub/version.cuh>
#include <string>

#include "support/device.cuh"
#include "support/machine.hpp"

namespace heddle_bench {

// The driver's version, or the CUDA version that it supports if it cannot be queried.
inline std::string driver_release() {
  if (void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW)) {
    char release[96] = "";
    const auto start = reinterpret_cast<int (*)()>(dlsym(library, "nvmlInit_v2"));
    const auto ask =
        reinterpret_cast<int (*)(char*, unsigned)>(dlsym(library, "nvmlSystemGetDriverVersion"));
    if (start != nullptr && ask != nullptr && start() == 0 && ask(release, sizeof release) == 0) {
      return release;
    }
  }
  int version = 0;
  check(cudaDriverGetVersion(&version));
  return "for CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

inline machine this_machine() {
  const cudaDeviceProp device = device_properties();
  int clock_khz = 0, runtime = 0;
  check(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, 0));
  check(cudaRuntimeGetVersion(&runtime));
  char date[16] = "";
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  return {device.name,
          device.multiProcessorCount,
          clock_khz / 1000,
          driver_release(),
          std::to_string(runtime / 1000) + "." + std::to_string(runtime % 1000 / 10),
          std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
              std::to_string(CUB_SUBMINOR_VERSION),
          date};
}

}  // namespace heddle_bench
