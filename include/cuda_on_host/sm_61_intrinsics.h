// CUDA's device functions, under the name of a generation of GPUs.
#pragma once
#include <cuda_runtime.h>
