// A header of a linked library, which needs that library's definitions.
#pragma once

__host__ __device__ inline int scaled(int value) { return value * SCALE; }
