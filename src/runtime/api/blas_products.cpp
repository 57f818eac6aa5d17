// cuBLAS's matrix products.
#include <algorithm>
#include <span>
#include <type_traits>

#include <cublas_v2.h>

#include "api/blas.hpp"

namespace heddle_host::api {
namespace {

using blas::matrix;

struct operands {
  cublasOperation_t a_operation, b_operation;
  std::int64_t m, n, k;
  const void *a, *b;
  void* c;
  cudaDataType a_type, b_type, c_type;
  std::int64_t lda, ldb, ldc;
};

bool is_operation(cublasOperation_t what) { return what >= CUBLAS_OP_N && what <= CUBLAS_OP_C; }

// The product that these arguments describe. They may still be invalid: see is_valid().
blas::product product_of(const operands& of) {
  blas::product made;
  made.transposes_a = of.a_operation != CUBLAS_OP_N;
  made.transposes_b = of.b_operation != CUBLAS_OP_N;
  made.a = made.transposes_a ? matrix{of.a, of.a_type, of.k, of.m, of.lda}
                             : matrix{of.a, of.a_type, of.m, of.k, of.lda};
  made.b = made.transposes_b ? matrix{of.b, of.b_type, of.n, of.k, of.ldb}
                             : matrix{of.b, of.b_type, of.k, of.n, of.ldb};
  made.c = made.d = matrix{of.c, of.c_type, of.m, of.n, of.ldc};
  return made;
}

bool is_valid(const operands& of) {
  if (!is_operation(of.a_operation) || !is_operation(of.b_operation)) return false;
  if (of.m < 0 || of.n < 0 || of.k < 0) return false;
  const blas::product shape = product_of(of);
  const auto fits = [](const matrix& what) {
    return what.leading >= std::max<std::int64_t>(what.rows, 1);
  };
  return fits(shape.a) && fits(shape.b) && fits(shape.c);
}

cublasStatus_t multiply_in(cublasHandle_t handle, const operands& of, const void* alpha,
                           const void* beta, batch_of_products batch, cublasComputeType_t in) {
  const auto found = find_blas(handle);
  if (found == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_valid(of) || batch.count < 0) return CUBLAS_STATUS_INVALID_VALUE;
  batch.first = product_of(of);
  batch.d_stride = batch.c_stride;
  return multiply(found->stream, batch,
                  {alpha, beta, found->pointers == CUBLAS_POINTER_MODE_DEVICE}, in);
}

cudaDataType scale_type(cublasComputeType_t in) {
  switch (in) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return CUDA_R_16F;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      return CUDA_R_64F;
    default:
      return CUDA_R_32F;
  }
}

template <typename Number>
cublasStatus_t submit(cudaStream_t stream, batch_of_products what, factors by,
                      cublasComputeType_t in) {
  const factor<Number> alpha(by.alpha, scale_type(in), by.are_on_device);
  const factor<Number> beta(by.beta, scale_type(in), by.are_on_device);
  return submit_blas(stream, [what, alpha, beta] {
    for (std::int64_t index = 0; index < what.count; ++index) {
      blas::product one = what.first;
      one.a = one.a.moved_by(index * what.a_stride);
      one.b = one.b.moved_by(index * what.b_stride);
      one.c = one.c.moved_by(index * what.c_stride);
      one.d = one.d.moved_by(index * what.d_stride);
      perform<Number>(one, alpha.value(), beta.value());
    }
  });
}

bool has_numbers(const matrix& what) { return blas::element_bytes(what.type) != 0; }

template <typename Pointer>
std::vector<Pointer> fetch_pointers(const Pointer* from, int count) {
  std::vector<Pointer> all(static_cast<std::size_t>(count));
  memory::perform(memory::flat_copy(all.data(), from, std::span(all).size_bytes()));
  return all;
}

// The arrays of addresses are in device memory, so they are read when the work runs.
template <typename T>
cublasStatus_t multiply_each(cublasHandle_t handle, operands of, const T* alpha, const T* const* a,
                             const T* const* b, const T* beta, T* const* c, int count,
                             cublasComputeType_t in) {
  using number = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const auto found = find_blas(handle);
  if (found == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_valid(of) || count < 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (alpha == nullptr || beta == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const blas::product shape = product_of(of);
  const bool are_on_device = found->pointers == CUBLAS_POINTER_MODE_DEVICE;
  const factor<number> by_alpha(alpha, scale_type(in), are_on_device);
  const factor<number> by_beta(beta, scale_type(in), are_on_device);
  if (count == 0) return CUBLAS_STATUS_SUCCESS;
  return submit_blas(found->stream, [=] {
    const auto each_a = fetch_pointers(a, count), each_b = fetch_pointers(b, count);
    const auto each_c = fetch_pointers(c, count);
    for (std::size_t index = 0; index < each_a.size(); ++index) {
      blas::product one = shape;
      one.a.at = each_a[index];
      one.b.at = each_b[index];
      one.c.at = one.d.at = each_c[index];
      perform<number>(one, by_alpha.value(), by_beta.value());
    }
  });
}

}  // namespace

cublasStatus_t multiply(cudaStream_t stream, batch_of_products what, factors by,
                        cublasComputeType_t in) {
  const blas::product& first = what.first;
  if (first.d.is_empty() || what.count == 0) return CUBLAS_STATUS_SUCCESS;
  if (by.alpha == nullptr || by.beta == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (in == CUBLAS_COMPUTE_32I || in == CUBLAS_COMPUTE_32I_PEDANTIC ||
      in == CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT) {
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  for (const matrix* each : {&first.a, &first.b, &first.c, &first.d, &first.bias}) {
    if (!has_numbers(*each)) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (!blas::is_usable(*each)) return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  return scale_type(in) == CUDA_R_64F ? submit<double>(stream, what, by, in)
                                      : submit<float>(stream, what, by, in);
}

}  // namespace heddle_host::api

using heddle_host::api::multiply_each;
using heddle_host::api::multiply_in;

#define HEDDLE_BLAS_PRODUCTS(letter, suffix, T, TYPE, COMPUTE)                                     \
  cublasStatus_t cublas##letter##gemm##suffix(cublasHandle_t handle, cublasOperation_t transA,     \
                                              cublasOperation_t transB, int m, int n, int k,       \
                                              const T* alpha, const T* a, int lda, const T* b,     \
                                              int ldb, const T* beta, T* c, int ldc) {             \
    return multiply_in(handle,                                                                     \
                       {transA, transB, m, n, k, a, b, c, TYPE, TYPE, TYPE, lda, ldb, ldc}, alpha, \
                       beta, {}, COMPUTE);                                                         \
  }                                                                                                \
  cublasStatus_t cublas##letter##gemmStridedBatched(                                               \
      cublasHandle_t handle, cublasOperation_t transA, cublasOperation_t transB, int m, int n,     \
      int k, const T* alpha, const T* a, int lda, long long int aStride, const T* b, int ldb,      \
      long long int bStride, const T* beta, T* c, int ldc, long long int cStride, int batches) {   \
    return multiply_in(handle,                                                                     \
                       {transA, transB, m, n, k, a, b, c, TYPE, TYPE, TYPE, lda, ldb, ldc}, alpha, \
                       beta, {{}, batches, aStride, bStride, cStride, 0}, COMPUTE);                \
  }                                                                                                \
  cublasStatus_t cublas##letter##gemmBatched(                                                      \
      cublasHandle_t handle, cublasOperation_t transA, cublasOperation_t transB, int m, int n,     \
      int k, const T* alpha, const T* const a[], int lda, const T* const b[], int ldb,             \
      const T* beta, T* const c[], int ldc, int batches) {                                         \
    return multiply_each<T>(                                                                       \
        handle,                                                                                    \
        {transA, transB, m, n, k, nullptr, nullptr, nullptr, TYPE, TYPE, TYPE, lda, ldb, ldc},     \
        alpha, a, b, beta, c, batches, COMPUTE);                                                   \
  }
HEDDLE_BLAS_PRODUCTS(S, _v2, float, CUDA_R_32F, CUBLAS_COMPUTE_32F)
HEDDLE_BLAS_PRODUCTS(D, _v2, double, CUDA_R_64F, CUBLAS_COMPUTE_64F)
HEDDLE_BLAS_PRODUCTS(H, , __half, CUDA_R_16F, CUBLAS_COMPUTE_16F)
#undef HEDDLE_BLAS_PRODUCTS

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transA,
                            cublasOperation_t transB, int m, int n, int k, const void* alpha,
                            const void* a, cudaDataType aType, int lda, const void* b,
                            cudaDataType bType, int ldb, const void* beta, void* c,
                            cudaDataType cType, int ldc, cublasComputeType_t computeType,
                            cublasGemmAlgo_t) {
  return multiply_in(handle, {transA, transB, m, n, k, a, b, c, aType, bType, cType, lda, ldb, ldc},
                     alpha, beta, {}, computeType);
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transA,
                                          cublasOperation_t transB, int m, int n, int k,
                                          const void* alpha, const void* a, cudaDataType aType,
                                          int lda, long long int aStride, const void* b,
                                          cudaDataType bType, int ldb, long long int bStride,
                                          const void* beta, void* c, cudaDataType cType, int ldc,
                                          long long int cStride, int batches,
                                          cublasComputeType_t computeType, cublasGemmAlgo_t) {
  return multiply_in(handle, {transA, transB, m, n, k, a, b, c, aType, bType, cType, lda, ldb, ldc},
                     alpha, beta, {{}, batches, aStride, bStride, cStride, 0}, computeType);
}
