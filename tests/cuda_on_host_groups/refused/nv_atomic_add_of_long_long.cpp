// refused: the object must be an int, unsigned, unsigned long long, float or double
#include <cuda_runtime.h>
void f(long long* cell) { __nv_atomic_add(cell, 1, __NV_ATOMIC_RELAXED); }
