// refused: MTGP32 is not supported on the CPU
#include <curand.h>
curandStatus_t f(curandGenerator_t* generator) {
  return curandCreateGenerator(generator, CURAND_RNG_PSEUDO_MTGP32);
}
