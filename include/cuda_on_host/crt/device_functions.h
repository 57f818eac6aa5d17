// CUDA's device functions, under the name that its own headers include.
#pragma once
#include <cuda_runtime.h>
