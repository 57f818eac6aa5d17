// CUDA's atomic functions, under the name of a generation of GPUs.
#pragma once
#define __SM_32_ATOMIC_FUNCTIONS_H__  // programs ask for it
#include <device_atomic_functions.h>
