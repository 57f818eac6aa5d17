// Plain loops with OpenMP: ordinary C++ in a file without CUDA code.
#include "openmp_loops.hpp"

#include <cmath>
#include <cstring>

void saxpy_with_openmp(float factor, const float* x, float* y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) y[i] = factor * x[i] + y[i];
}

void forces_with_openmp(const particle* all, particle* forces, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    const particle mine = all[i];
    float x = 0, y = 0, z = 0;
    for (int k = 0; k < n; ++k) {
      const float dx = all[k].x - mine.x;
      const float dy = all[k].y - mine.y;
      const float dz = all[k].z - mine.z;
      const float inverse = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + 0.01f);
      const float force = all[k].mass * inverse * inverse * inverse;
      x += dx * force;
      y += dy * force;
      z += dz * force;
    }
    forces[i] = {x, y, z, 0};
  }
}

void multiply_with_openmp(const float* a, const float* b, float* product, int n) {
#pragma omp parallel for
  for (int row = 0; row < n; ++row) {
    float* const sums = product + row * n;
    std::memset(sums, 0, static_cast<unsigned>(n) * sizeof(float));
    for (int k = 0; k < n; ++k) {
      const float factor = a[row * n + k];
      for (int column = 0; column < n; ++column) sums[column] += factor * b[k * n + column];
    }
  }
}

void smooth_with_openmp(const float* from, float* to, int width, int height) {
#pragma omp parallel for
  for (int y = 1; y < height - 1; ++y) {
    for (int x = 1; x < width - 1; ++x) {
      const int i = y * width + x;
      to[i] = 0.2f * (from[i] + from[i - 1] + from[i + 1] + from[i - width] + from[i + width]);
    }
  }
}

void count_bytes_with_openmp(const unsigned char* bytes, unsigned* counts, int n) {
  std::memset(counts, 0, 256 * sizeof(unsigned));
#pragma omp parallel
  {
    unsigned mine[256] = {};
#pragma omp for
    for (int i = 0; i < n; ++i) ++mine[bytes[i]];
#pragma omp critical
    for (int value = 0; value < 256; ++value) counts[value] += mine[value];
  }
}

void price_with_openmp(const float* stock, const float* strike, const float* years, float* price,
                       int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    const float root = std::sqrt(years[i]);
    const float upper =
        (std::log(stock[i] / strike[i]) + (0.02f + 0.5f * 0.3f * 0.3f) * years[i]) / (0.3f * root);
    const float lower = upper - 0.3f * root;
    price[i] = stock[i] * 0.5f * std::erfc(-upper * 0.70710678f) -
               strike[i] * std::exp(-0.02f * years[i]) * 0.5f * std::erfc(-lower * 0.70710678f);
  }
}
