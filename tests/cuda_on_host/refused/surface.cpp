// refused: CUDA arrays and surfaces are not supported on the CPU
#include <cuda_runtime.h>
void f(cudaSurfaceObject_t) {}
