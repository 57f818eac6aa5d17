// CUDA's device functions, under the header name of one GPU generation.
#pragma once
#define __SM_30_INTRINSICS_H__  // programs test for it
#include <cuda_runtime.h>
