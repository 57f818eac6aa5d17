// The work of some kernels as plain C++ with OpenMP.
#pragma once

void saxpy_with_openmp(float factor, const float* x, float* y, int n);

struct particle {
  float x, y, z, mass;
};
// The forces on all particles, each as the sum over all others.
void forces_with_openmp(const particle* all, particle* forces, int n);

// product = a * b, for square matrices.
void multiply_with_openmp(const float* a, const float* b, float* product, int n);

// The mean of each inner point and its four neighbours.
void smooth_with_openmp(const float* from, float* to, int width, int height);

void count_bytes_with_openmp(const unsigned char* bytes, unsigned* counts, int n);

// Prices of European call options.
void price_with_openmp(const float* stock, const float* strike, const float* years, float* price,
                       int n);
