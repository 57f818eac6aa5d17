// refused: cuRAND's scrambled Sobol vectors are not published
#include <curand.h>
curandStatus_t f(curandGenerator_t* generator) {
  return curandCreateGenerator(generator, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32);
}
