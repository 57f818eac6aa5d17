// <cuda_awbarrier.h> is not offered on the CPU, and says so.
#pragma once
#define _CUDA_AWBARRIER_H_  // programs ask for it
#error "<cuda_awbarrier.h> is not offered on the CPU: use <cuda/barrier>"
