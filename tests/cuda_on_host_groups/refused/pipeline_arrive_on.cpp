// refused: __pipeline_arrive_on is not supported on the CPU: use cuda::barrier
#include <cuda_pipeline.h>
void f(unsigned long long* barrier) { __pipeline_arrive_on(barrier); }
