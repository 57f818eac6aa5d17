// refused: a texture's element is one, two or four integers of 8, 16 or 32 bits or floats
#include <cuda_runtime.h>
double f(cudaTextureObject_t texture) { return tex1Dfetch<double>(texture, 0); }
