// threadIdx, blockIdx, blockDim, gridDim and warpSize.
#pragma once
#define __DEVICE_LAUNCH_PARAMETERS_H__  // programs test for it
#include <heddle_host/lane.hpp>

#include <device_functions.h>
