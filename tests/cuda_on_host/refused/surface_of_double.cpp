// refused: a surface element must be one, two or four integers or floats, at most 16 bytes
#include <cuda_runtime.h>
void f(cudaSurfaceObject_t surface) { surf2Dwrite(1.0, surface, 0, 0); }
