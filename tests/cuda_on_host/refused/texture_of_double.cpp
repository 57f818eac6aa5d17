// refused: a texture element must be one, two or four floats or 8-, 16- or 32-bit integers
#include <cuda_runtime.h>
double f(cudaTextureObject_t texture) { return tex1Dfetch<double>(texture, 0); }
