// Stand-in for <cuda_pipeline.h>: a thread's asynchronous copies into shared memory.
#pragma once
#define _CUDA_PIPELINE_H_  // programs test for it
#include <cuda_pipeline_primitives.h>
