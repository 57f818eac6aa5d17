// Converts the driver's launch configuration to the runtime's.
#pragma once
#include <cuda.h>
#include <driver_types.h>

namespace heddle_host::api {

cudaLaunchConfig_t runtime_configuration(const CUlaunchConfig& config);

}  // namespace heddle_host::api
