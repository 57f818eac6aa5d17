// refused: the CPU does not know which memory is __constant__
#include <cuda_runtime.h>
unsigned f(const void* address) { return __isConstant(address); }
