// CUDA's driver API: its types and codes, and the calls about devices and errors. All other calls
// are compile errors at the point of use, so a program that only includes this header builds.
#pragma once
#define __cuda_cuda_h__  // programs test for it
#define CUDA_VERSION 13000

#include <detail/driver_calls.h>
#include <detail/driver_enumerations.h>
#include <detail/driver_structures.h>
#include <stdlib.h>
