// CUDA's driver interface: its types and codes, and the calls about devices and errors. Any other
// call is an error where it is called, so that a program which only includes this builds.
#pragma once
#define __cuda_cuda_h__  // programs ask for it
#define CUDA_VERSION 13000

#include <detail/driver_calls.h>
#include <detail/driver_enumerations.h>
#include <detail/driver_structures.h>
#include <stdlib.h>
