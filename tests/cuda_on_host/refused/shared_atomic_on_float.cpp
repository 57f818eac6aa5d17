// refused: CUDA has no such atomic function for this type
#include <cuda_runtime.h>
void f(const heddle_host::block_of_lanes& block, float* shared) { block.minimum(shared, 1.0f); }
