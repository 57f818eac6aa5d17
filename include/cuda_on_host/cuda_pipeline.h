// Stand-in for <cuda_pipeline.h>: a thread's asynchronous copies into shared memory.
#pragma once
#include <cuda_pipeline_primitives.h>
