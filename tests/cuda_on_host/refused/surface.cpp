// refused: CUDA arrays and surfaces are not offered on the CPU
#include <cuda_runtime.h>
void f(cudaSurfaceObject_t) {}
