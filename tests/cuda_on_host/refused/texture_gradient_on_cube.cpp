// refused: gradients on cubes are not supported on the CPU
#include <cuda_runtime.h>
float f(cudaTextureObject_t texture, float4 d) {
  return texCubemapGrad<float>(texture, 1, 0, 0, d, d);
}
