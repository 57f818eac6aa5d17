// refused: textures over arrays or pitched memory are not supported on the CPU
#include <cuda_runtime_api.h>
void f(cudaResourceDesc& resource) { resource.resType = cudaResourceTypePitch2D; }
