// refused: on the CPU each thread has its own copy of a kernel's parameters
#include <cuda_runtime.h>
unsigned f(const void* address) { return __isGridConstant(address); }
