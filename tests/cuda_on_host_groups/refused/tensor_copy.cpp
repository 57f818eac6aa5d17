// refused: tensor copies are not offered on the CPU
#include <cuda/ptx>
void f() { cuda::ptx::cp_async_bulk_tensor(1, 2, 3); }
