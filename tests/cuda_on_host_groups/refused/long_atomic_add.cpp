// refused: no matching function for call to .*atomicAdd
#include <device_atomic_functions.h>
long f(long* cell) { return atomicAdd(cell, 1L); }
