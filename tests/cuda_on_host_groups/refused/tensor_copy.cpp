// refused: tensor copies are not supported on the CPU
#include <cuda/ptx>
void f() { cuda::ptx::cp_async_bulk_tensor(1, 2, 3); }
