// CUDA's double-precision functions, under the name that older code includes.
#pragma once
#include <cuda_runtime.h>
