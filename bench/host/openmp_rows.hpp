// Whole kernels compared with plain C++ that uses OpenMP.
#pragma once
#include <functional>

// `report` gets what was done, and the milliseconds of the kernel and of OpenMP.
void compare_with_openmp(
    const std::function<void(const char* what, double ours, double other)>& report);
