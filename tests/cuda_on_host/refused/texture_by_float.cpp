// refused: only tex1Dfetch over linear memory is supported on the CPU
#include <cuda_runtime.h>
void f(float* value, cudaTextureObject_t texture) { tex1D(value, texture, 0.5f); }
