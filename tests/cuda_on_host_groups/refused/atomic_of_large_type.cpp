// refused: cuda::atomic is offered for trivially copyable types of 1, 2, 4, 8 or 16 bytes
#include <cuda/atomic>
struct large {
  double numbers[3];
};
cuda::atomic<large> cell;
