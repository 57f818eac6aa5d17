// threadIdx, blockIdx, blockDim, gridDim and warpSize.
#pragma once
#include <heddle_host/lane.hpp>

#include <device_functions.h>
