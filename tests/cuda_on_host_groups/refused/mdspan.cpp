// refused: <cuda/std/mdspan> is not offered on the CPU
#include <cuda/std/mdspan>
