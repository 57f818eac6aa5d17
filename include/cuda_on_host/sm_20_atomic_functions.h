// CUDA's atomic functions, under the name of a generation of GPUs.
#pragma once
#include <device_atomic_functions.h>
