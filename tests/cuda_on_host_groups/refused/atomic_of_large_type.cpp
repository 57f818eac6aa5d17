// refused: cuda::atomic supports only trivially copyable types of 1, 2, 4, 8 or 16 bytes
#include <cuda/atomic>
struct large {
  double numbers[3];
};
cuda::atomic<large> cell;
