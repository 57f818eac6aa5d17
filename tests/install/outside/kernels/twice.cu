// Doubles a value.
#include "twice.cuh"

__device__ int twice(int value) { return 2 * value; }
