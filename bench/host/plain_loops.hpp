// The work of some kernels as plain C++ on one thread.
#pragma once

void add_plainly(const float* a, const float* b, float* sum, int n);

// Sums the elements thread, thread + threads, … for each thread, one thread after another.
void sum_with_stride_plainly(const float* values, float* sums, int threads, int n);

float sum_plainly(const float* values, int n);
