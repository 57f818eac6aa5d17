// Reports that <cuda_awbarrier.h> is not available on the CPU.
#pragma once
#define _CUDA_AWBARRIER_H_  // programs test for it
#error "<cuda_awbarrier.h> is not supported on the CPU: use <cuda/barrier>"
