// cuBLAS's vector functions and matrix-vector products.
#include <algorithm>
#include <cmath>

#include <cublas_v2.h>

#include "api/blas.hpp"

namespace heddle_host::api {
namespace {

template <typename T>
constexpr cudaDataType type_of = std::is_same_v<T, double> ? CUDA_R_64F : CUDA_R_32F;

// A vector as BLAS describes it: with a negative step, its first element is the last one in memory.
template <typename T>
class strided {
 public:
  strided(const T* at, std::int64_t count, std::int64_t step)
      : where_(blas::vector_at(at, type_of<T>, count, step)), is_reversed_(step < 0) {}

  bool is_usable() const { return blas::is_usable(where_); }
  std::vector<T> fetch() const {
    std::vector<T> numbers = blas::fetch<T>(where_);
    if (is_reversed_) std::reverse(numbers.begin(), numbers.end());
    return numbers;
  }
  void store(std::vector<T> numbers) const {
    if (is_reversed_) std::reverse(numbers.begin(), numbers.end());
    blas::store(numbers, where_);
  }

 private:
  blas::matrix where_;
  bool is_reversed_;
};

// y = change(y), in the stream.
template <typename T, typename Change>
cublasStatus_t change(const blas_handle& of, const strided<T>& x, const strided<T>& y,
                      Change change) {
  if (!x.is_usable() || !y.is_usable()) return CUBLAS_STATUS_EXECUTION_FAILED;
  return submit_blas(of.stream, [=] { change(x, y); });
}

// Reduces vectors to a number. If that is stored in host memory, the host waits for it.
template <typename T, typename Compute>
cublasStatus_t reduce(cublasHandle_t handle, T* result, const strided<T>& x, const strided<T>& y,
                      Compute compute) {
  const auto found = find_blas(handle);
  if (found == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (result == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (!x.is_usable() || !y.is_usable()) return CUBLAS_STATUS_EXECUTION_FAILED;
  if (found->pointers == CUBLAS_POINTER_MODE_DEVICE) {
    const strided<T> to(result, 1, 1);
    return submit_blas(found->stream, [=] { to.store({compute(x.fetch(), y.fetch())}); });
  }
  return submit_blas(
      found->stream, [=] { *result = compute(x.fetch(), y.fetch()); }, true);
}

template <typename T>
cublasStatus_t add(cublasHandle_t handle, std::int64_t n, const T* alpha, const T* x,
                   std::int64_t x_step, T* y, std::int64_t y_step) {
  const auto found = find_blas(handle);
  if (found == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (alpha == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  const factor<T> by(alpha, type_of<T>, found->pointers == CUBLAS_POINTER_MODE_DEVICE);
  return change<T>(*found, {x, n, x_step}, {y, n, y_step},
                   [by](const strided<T>& from, const strided<T>& to) {
                     const std::vector<T> terms = from.fetch();
                     std::vector<T> sums = to.fetch();
                     const T times = by.value();
                     for (std::size_t at = 0; at < sums.size(); ++at) sums[at] += times * terms[at];
                     to.store(std::move(sums));
                   });
}

template <typename T>
cublasStatus_t copy(cublasHandle_t handle, std::int64_t n, const T* x, std::int64_t x_step, T* y,
                    std::int64_t y_step) {
  const auto found = find_blas(handle);
  if (found == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return change<T>(*found, {x, n, x_step}, {y, n, y_step},
                   [](const strided<T>& from, const strided<T>& to) { to.store(from.fetch()); });
}

template <typename T>
cublasStatus_t scale(cublasHandle_t handle, std::int64_t n, const T* alpha, T* x,
                     std::int64_t x_step) {
  const auto found = find_blas(handle);
  if (found == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (alpha == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (n <= 0 || x_step <= 0) return CUBLAS_STATUS_SUCCESS;
  const factor<T> by(alpha, type_of<T>, found->pointers == CUBLAS_POINTER_MODE_DEVICE);
  return change<T>(*found, {x, n, x_step}, {x, n, x_step},
                   [by](const strided<T>& from, const strided<T>& to) {
                     std::vector<T> numbers = from.fetch();
                     const T times = by.value();
                     for (T& number : numbers) number *= times;
                     to.store(std::move(numbers));
                   });
}

// The sums below are computed in a wider type and rounded once.
template <typename T>
T dot(const std::vector<T>& x, const std::vector<T>& y) {
  long double sum = 0;
  for (std::size_t at = 0; at < x.size(); ++at) sum += static_cast<long double>(x[at]) * y[at];
  return static_cast<T>(sum);
}

template <typename T>
T norm(const std::vector<T>& x, const std::vector<T>&) {
  long double sum = 0;
  for (const T each : x) sum += static_cast<long double>(each) * each;
  return static_cast<T>(std::sqrt(sum));
}

template <typename T>
T absolute_sum(const std::vector<T>& x, const std::vector<T>&) {
  long double sum = 0;
  for (const T each : x) sum += std::abs(static_cast<long double>(each));
  return static_cast<T>(sum);
}

template <typename T>
cublasStatus_t multiply_vector(cublasHandle_t handle, cublasOperation_t operation, std::int64_t m,
                               std::int64_t n, const T* alpha, const T* a, std::int64_t lda,
                               const T* x, std::int64_t x_step, const T* beta, T* y,
                               std::int64_t y_step) {
  const auto found = find_blas(handle);
  if (found == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || lda < std::max<std::int64_t>(m, 1) || x_step == 0 || y_step == 0 ||
      alpha == nullptr || beta == nullptr || operation < CUBLAS_OP_N || operation > CUBLAS_OP_C) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool transposes = operation != CUBLAS_OP_N;
  const blas::matrix all{a, type_of<T>, m, n, lda};
  if (!blas::is_usable(all)) return CUBLAS_STATUS_EXECUTION_FAILED;
  const bool are_on_device = found->pointers == CUBLAS_POINTER_MODE_DEVICE;
  const factor<T> by_alpha(alpha, type_of<T>, are_on_device);
  const factor<T> by_beta(beta, type_of<T>, are_on_device);
  const std::int64_t x_count = transposes ? m : n, y_count = transposes ? n : m;
  return change<T>(
      *found, {x, x_count, x_step}, {y, y_count, y_step},
      [=](const strided<T>& from, const strided<T>& to) {
        const std::vector<T> numbers = blas::fetch<T>(all), factors = from.fetch();
        std::vector<T> sums(static_cast<std::size_t>(y_count), T(0));
        for (std::int64_t column = 0; column < n; ++column) {
          for (std::int64_t row = 0; row < m; ++row) {
            const auto result = static_cast<std::size_t>(transposes ? column : row);
            const auto term = static_cast<std::size_t>(transposes ? row : column);
            sums[result] += numbers[static_cast<std::size_t>(column * m + row)] * factors[term];
          }
        }
        const T times = by_alpha.value(), keeps = by_beta.value();
        const std::vector<T> before = keeps == T(0) ? std::vector<T>(sums.size()) : to.fetch();
        for (std::size_t at = 0; at < sums.size(); ++at) {
          sums[at] = times * sums[at] + (keeps == T(0) ? T(0) : keeps * before[at]);
        }
        to.store(std::move(sums));
      });
}

}  // namespace
}  // namespace heddle_host::api

#define HEDDLE_BLAS_VECTORS(letter, T)                                                             \
  cublasStatus_t cublas##letter##axpy_v2(cublasHandle_t handle, int n, const T* alpha, const T* x, \
                                         int xStep, T* y, int yStep) {                             \
    return heddle_host::api::add<T>(handle, n, alpha, x, xStep, y, yStep);                         \
  }                                                                                                \
  cublasStatus_t cublas##letter##copy_v2(cublasHandle_t handle, int n, const T* x, int xStep,      \
                                         T* y, int yStep) {                                        \
    return heddle_host::api::copy<T>(handle, n, x, xStep, y, yStep);                               \
  }                                                                                                \
  cublasStatus_t cublas##letter##scal_v2(cublasHandle_t handle, int n, const T* alpha, T* x,       \
                                         int xStep) {                                              \
    return heddle_host::api::scale<T>(handle, n, alpha, x, xStep);                                 \
  }                                                                                                \
  cublasStatus_t cublas##letter##dot_v2(cublasHandle_t handle, int n, const T* x, int xStep,       \
                                        const T* y, int yStep, T* result) {                        \
    n = n < 0 ? 0 : n;                                                                             \
    return heddle_host::api::reduce<T>(handle, result, {x, n, xStep}, {y, n, yStep},               \
                                       heddle_host::api::dot<T>);                                  \
  }                                                                                                \
  cublasStatus_t cublas##letter##nrm2_v2(cublasHandle_t handle, int n, const T* x, int xStep,      \
                                         T* result) {                                              \
    n = n < 0 || xStep <= 0 ? 0 : n;                                                               \
    return heddle_host::api::reduce<T>(handle, result, {x, n, xStep}, {x, 0, 1},                   \
                                       heddle_host::api::norm<T>);                                 \
  }                                                                                                \
  cublasStatus_t cublas##letter##asum_v2(cublasHandle_t handle, int n, const T* x, int xStep,      \
                                         T* result) {                                              \
    n = n < 0 || xStep <= 0 ? 0 : n;                                                               \
    return heddle_host::api::reduce<T>(handle, result, {x, n, xStep}, {x, 0, 1},                   \
                                       heddle_host::api::absolute_sum<T>);                         \
  }                                                                                                \
  cublasStatus_t cublas##letter##gemv_v2(cublasHandle_t handle, cublasOperation_t operation,       \
                                         int m, int n, const T* alpha, const T* a, int lda,        \
                                         const T* x, int xStep, const T* beta, T* y, int yStep) {  \
    return heddle_host::api::multiply_vector<T>(handle, operation, m, n, alpha, a, lda, x, xStep,  \
                                                beta, y, yStep);                                   \
  }
HEDDLE_BLAS_VECTORS(S, float)
HEDDLE_BLAS_VECTORS(D, double)
#undef HEDDLE_BLAS_VECTORS
