// refused: the object must be an integer
#include <cuda_runtime.h>
float f(float* cell) { return __nv_atomic_load_n(cell, __NV_ATOMIC_RELAXED); }
