// CUDA's occupancy calculator for programs without a device. Empty: CUB and Thrust before 2.0
// include it, but use nothing of it. The runtime's functions, such as
// cudaOccupancyMaxActiveBlocksPerMultiprocessor, are in cuda_runtime_api.h.
#pragma once
