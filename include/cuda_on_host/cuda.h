// CUDA's driver API: types, error codes and functions. Functions that the CPU does not support end
// the program when they are called.
#pragma once
#define __cuda_cuda_h__  // programs test for it
#define CUDA_VERSION 13000

#include <detail/driver_calls.h>
#include <detail/driver_enumerations.h>
#include <detail/driver_structures.h>
#include <stdlib.h>
