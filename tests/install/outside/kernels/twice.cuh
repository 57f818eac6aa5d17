// A device function that lives in another file than the kernel that calls it.
#pragma once

__device__ int twice(int value);
