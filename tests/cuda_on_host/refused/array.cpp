// refused: CUDA arrays and surfaces are not supported on the CPU
#include <cuda_runtime.h>
cudaError_t f(cudaArray_t* array, const cudaChannelFormatDesc* format) {
  return cudaMallocArray(array, format, 64, 64);
}
