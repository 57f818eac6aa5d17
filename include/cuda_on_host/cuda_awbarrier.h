// <cuda_awbarrier.h> is not offered on the CPU, and says so.
#pragma once
#error "<cuda_awbarrier.h> is not offered on the CPU: use <cuda/barrier>"
