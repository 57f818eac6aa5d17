// Kernels as CUDA programmers write them, timed next to plain C++ with OpenMP.
#include "openmp_rows.hpp"

#include <cmath>
#include <vector>

#include "bench_values.hpp"
#include "openmp_loops.hpp"

namespace {

__global__ void saxpy(float factor, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor * x[i] + y[i];
}

__global__ void find_forces(const float4* all, float4* forces, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 mine = all[i];
  float x = 0, y = 0, z = 0;
  for (int k = 0; k < n; ++k) {
    const float4 other = all[k];
    const float dx = other.x - mine.x;
    const float dy = other.y - mine.y;
    const float dz = other.z - mine.z;
    const float inverse = 1 / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
    const float force = other.w * inverse * inverse * inverse;
    x += dx * force;
    y += dy * force;
    z += dz * force;
  }
  forces[i] = make_float4(x, y, z, 0);
}

constexpr int tile = 16;

__global__ void multiply(const float* a, const float* b, float* product, int n) {
  __shared__ float left[tile][tile], right[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y;
  const int column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < n; first += tile) {
    left[threadIdx.y][threadIdx.x] = a[row * n + first + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  product[row * n + column] = sum;
}

__global__ void smooth(const float* from, float* to, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= width - 1 || y < 1 || y >= height - 1) return;
  const int i = y * width + x;
  to[i] = 0.2f * (from[i] + from[i - 1] + from[i + 1] + from[i - width] + from[i + width]);
}

__global__ void count_bytes(const unsigned char* bytes, unsigned* counts, int n) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  const int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&mine[bytes[i]], 1u);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}

__device__ float normal_distribution(float x) { return 0.5f * erfcf(-x * 0.70710678f); }

__global__ void price(const float* stock, const float* strike, const float* years, float* result,
                      int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float root = sqrtf(years[i]);
  const float upper =
      (logf(stock[i] / strike[i]) + (0.02f + 0.5f * 0.3f * 0.3f) * years[i]) / (0.3f * root);
  const float lower = upper - 0.3f * root;
  result[i] = stock[i] * normal_distribution(upper) -
              strike[i] * expf(-0.02f * years[i]) * normal_distribution(lower);
}

// The order of sums differs, so the last bits may.
void check_close(const std::vector<float>& ours, const std::vector<float>& other,
                 const char* what) {
  for (std::size_t i = 0; i < ours.size(); ++i)
    check(std::fabs(ours[i] - other[i]) <= 1e-3f * (1 + std::fabs(other[i])), what);
}

std::vector<float> numbers_up_to(std::size_t count, float most) {
  std::vector<float> made(count);
  for (std::size_t i = 0; i < count; ++i) made[i] = most * static_cast<float>(i % 1009 + 1) / 1009;
  return made;
}

using reporter = std::function<void(const char* what, double ours, double other)>;

void compare_saxpy(const reporter& report) {
  constexpr int n = 1 << 24;
  std::vector<float> plain = numbers_up_to(n, 2);
  const std::vector<float> factors = numbers_up_to(n, 1);
  device_array<float> x(n), y(n);
  x.put(factors);
  y.put(plain);
  const double ours = best_milliseconds([&] {
    saxpy<<<n / 256, 256>>>(0.5f, x.get(), y.get(), n);
    check(cudaDeviceSynchronize());
  });
  const double other =
      best_milliseconds([&] { saxpy_with_openmp(0.5f, factors.data(), plain.data(), n); });
  check_close(y.values(), plain, "saxpy");
  report("saxpy, 16 M floats : OpenMP", ours, other);
}

void compare_forces(const reporter& report) {
  constexpr int n = 4096;
  std::vector<float> places(4 * n);
  for (int i = 0; i < 4 * n; ++i) places[i] = static_cast<float>(i * 7919 % 1009) / 1009;
  std::vector<particle> all(n), plain(n);
  for (int i = 0; i < n; ++i)
    all[i] = {places[4 * i], places[4 * i + 1], places[4 * i + 2], places[4 * i + 3]};
  device_array<float> from(4 * n), to(4 * n);
  from.put(places);
  const double ours = best_milliseconds([&] {
    find_forces<<<n / 128, 128>>>(reinterpret_cast<const float4*>(from.get()),
                                  reinterpret_cast<float4*>(to.get()), n);
    check(cudaDeviceSynchronize());
  });
  const double other = best_milliseconds([&] { forces_with_openmp(all.data(), plain.data(), n); });
  std::vector<float> expected;
  for (const particle& one : plain) expected.insert(expected.end(), {one.x, one.y, one.z, 0});
  check_close(to.values(), expected, "a force");
  report("n-body, 4096 particles : OpenMP", ours, other);
}

void compare_products(const reporter& report) {
  constexpr int n = 512;
  const std::vector<float> left = numbers_up_to(n * n, 1), right = numbers_up_to(n * n, 2);
  std::vector<float> plain(n * n);
  device_array<float> a(n * n), b(n * n), product(n * n);
  a.put(left);
  b.put(right);
  const double ours = best_milliseconds([&] {
    multiply<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(a.get(), b.get(), product.get(), n);
    check(cudaDeviceSynchronize());
  });
  const double other =
      best_milliseconds([&] { multiply_with_openmp(left.data(), right.data(), plain.data(), n); });
  check_close(product.values(), plain, "the product");
  report("matrix product through shared memory, 512 x 512 : OpenMP", ours, other);
}

void compare_smoothing(const reporter& report) {
  constexpr int width = 4096, height = 4096;
  const std::vector<float> points = numbers_up_to(width * height, 1);
  std::vector<float> plain(width * height);
  device_array<float> from(width * height), to(width * height);
  from.put(points);
  to.put(plain);
  const double ours = best_milliseconds([&] {
    smooth<<<dim3(width / 32, height / 8), dim3(32, 8)>>>(from.get(), to.get(), width, height);
    check(cudaDeviceSynchronize());
  });
  const double other =
      best_milliseconds([&] { smooth_with_openmp(points.data(), plain.data(), width, height); });
  check_close(to.values(), plain, "the stencil");
  report("stencil of 5 points, 4096 x 4096 : OpenMP", ours, other);
}

void compare_counting(const reporter& report) {
  constexpr int n = 1 << 24;
  std::vector<unsigned char> values(n);
  for (int i = 0; i < n; ++i) values[i] = static_cast<unsigned char>(i * 2654435761u >> 24);
  std::vector<unsigned> plain(256);
  device_array<unsigned char> bytes(n);
  device_array<unsigned> counts(256);
  bytes.put(values);
  const double ours = best_milliseconds([&] {
    check(cudaMemset(counts.get(), 0, 256 * sizeof(unsigned)));
    count_bytes<<<64, 256>>>(bytes.get(), counts.get(), n);
    check(cudaDeviceSynchronize());
  });
  const double other =
      best_milliseconds([&] { count_bytes_with_openmp(values.data(), plain.data(), n); });
  check(counts.values() == plain, "the histogram");
  report("histogram of 16 M bytes through shared memory : OpenMP", ours, other);
}

void compare_prices(const reporter& report) {
  constexpr int n = 1 << 20;
  const std::vector<float> stock = numbers_up_to(n, 100), years = numbers_up_to(n, 5);
  const std::vector<float> strike(n, 50);
  std::vector<float> plain(n);
  device_array<float> stocks(n), strikes(n), times(n), prices(n);
  stocks.put(stock);
  strikes.put(strike);
  times.put(years);
  const double ours = best_milliseconds([&] {
    price<<<n / 256, 256>>>(stocks.get(), strikes.get(), times.get(), prices.get(), n);
    check(cudaDeviceSynchronize());
  });
  const double other = best_milliseconds(
      [&] { price_with_openmp(stock.data(), strike.data(), years.data(), plain.data(), n); });
  check_close(prices.values(), plain, "a price");
  report("Black-Scholes, 1 M options : OpenMP", ours, other);
}

}  // namespace

void compare_with_openmp(const reporter& report) {
  compare_saxpy(report);
  compare_forces(report);
  compare_products(report);
  compare_smoothing(report);
  compare_counting(report);
  compare_prices(report);
}
