// A device function that is defined in another file than the kernel that calls it.
#pragma once

__device__ int twice(int value);
