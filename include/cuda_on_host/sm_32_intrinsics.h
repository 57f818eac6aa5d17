// CUDA's device functions, under the name of a generation of GPUs.
#pragma once
#define __SM_32_INTRINSICS_H__  // programs ask for it
#include <cuda_runtime.h>
