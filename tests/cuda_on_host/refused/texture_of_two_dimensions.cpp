// refused: only tex1Dfetch over linear memory is supported on the CPU
#include <cuda_runtime.h>
float f(cudaTextureObject_t texture) { return tex2D<float>(texture, 0.5f, 0.5f); }
