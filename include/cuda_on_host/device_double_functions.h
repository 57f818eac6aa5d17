// CUDA's functions for doubles, under the name that older code includes.
#pragma once
#include <cuda_runtime.h>
