// refused: __block_size__ is not supported on the CPU
#include <cuda_runtime.h>
void __block_size__((32, 1, 1)) f();
