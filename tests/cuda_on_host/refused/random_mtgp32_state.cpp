// refused: MTGP32 is not supported in kernels on the CPU
#include <curand_kernel.h>
void f(curandStateMtgp32_t* state);
