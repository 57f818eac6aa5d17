// CUDA's atomic functions, under the header name of one GPU generation.
#pragma once
#define __SM_35_ATOMIC_FUNCTIONS_H__  // programs test for it
#include <device_atomic_functions.h>
