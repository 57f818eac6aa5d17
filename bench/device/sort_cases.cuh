// Device-wide sorts against CUB.
#pragma once
#include "support/device_contest.cuh"

namespace heddle_bench {

// In a source file of their own, because CUB's sorts take long to compile.
void device_sort_cases(device_contest& contest);

}  // namespace heddle_bench
