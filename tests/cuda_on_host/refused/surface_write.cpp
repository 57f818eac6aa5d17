// refused: CUDA arrays and surfaces are not supported on the CPU
#include <cuda_runtime.h>
void f(unsigned long long surface) { surf2Dwrite(1.0f, surface, 0, 0); }
