// refused: <cuda/std/mdspan> is not supported on the CPU
#include <cuda/std/mdspan>
