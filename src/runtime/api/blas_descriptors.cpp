// cuBLASLt: descriptors, and the matrix product that they describe.
#include <cstring>
#include <new>

#include <cublasLt.h>

#include "api/blas.hpp"

namespace heddle_host::api {
namespace {

// What the opaque descriptors hold.
struct layout {
  cudaDataType type;
  std::uint32_t order;
  std::uint64_t rows, columns;
  std::int64_t leading, stride;
  std::int32_t batches;
};
struct description {
  cublasComputeType_t compute;
  cudaDataType scale;
  std::uint32_t pointers, epilogue;
  std::int32_t transposes_a, transposes_b, transposes_c;
  std::int32_t bias_type;  // -1: the type of the result
  const void* bias;
};
static_assert(sizeof(layout) <= sizeof(cublasLtMatrixLayoutOpaque_t));
static_assert(sizeof(description) <= sizeof(cublasLtMatmulDescOpaque_t));

template <typename Held, typename Opaque>
Held get(const Opaque* from) {
  Held held;
  std::memcpy(&held, from->data, sizeof held);
  return held;
}

template <typename Held, typename Opaque>
cublasStatus_t make(Opaque** to, const Held& held) {
  if (to == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *to = new (std::nothrow) Opaque{};
  if (*to == nullptr) return CUBLAS_STATUS_ALLOC_FAILED;
  std::memcpy((*to)->data, &held, sizeof held);
  return CUBLAS_STATUS_SUCCESS;
}

// Sets one member of a descriptor. `bytes` must be the member's size.
template <typename Opaque, typename Held, typename Member>
cublasStatus_t set(Opaque* descriptor, Member Held::*member, const void* value, size_t bytes) {
  if (descriptor == nullptr || value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (bytes != sizeof(Member)) return CUBLAS_STATUS_INVALID_VALUE;
  Held held = get<Held>(descriptor);
  std::memcpy(&(held.*member), value, bytes);
  std::memcpy(descriptor->data, &held, sizeof held);
  return CUBLAS_STATUS_SUCCESS;
}

blas::matrix matrix_of(const layout& from, const void* at) {
  return {at, from.type, static_cast<std::int64_t>(from.rows),
          static_cast<std::int64_t>(from.columns), from.leading};
}

bool is_supported(const layout& what) { return what.order == CUBLASLT_ORDER_COL; }

// False for epilogues that are not supported: those that read or write another matrix.
bool describe_epilogue(const description& from, blas::product& to) {
  switch (from.epilogue & ~static_cast<std::uint32_t>(CUBLASLT_EPILOGUE_BIAS)) {
    case 0:
    case CUBLASLT_EPILOGUE_DEFAULT:
      break;
    case CUBLASLT_EPILOGUE_RELU:
      to.applies = blas::activation::relu;
      break;
    case CUBLASLT_EPILOGUE_GELU:
      to.applies = blas::activation::gelu;
      break;
    default:
      return false;
  }
  if ((from.epilogue & CUBLASLT_EPILOGUE_BIAS) == 0) return true;
  const cudaDataType type =
      from.bias_type < 0 ? to.d.type : static_cast<cudaDataType>(from.bias_type);
  to.bias = blas::vector_at(from.bias, type, to.d.rows, 1);
  return from.bias != nullptr;
}

bool shapes_fit(const blas::product& what) {
  const std::int64_t m = what.transposes_a ? what.a.columns : what.a.rows;
  const std::int64_t n = what.transposes_b ? what.b.rows : what.b.columns;
  const std::int64_t k = what.transposes_b ? what.b.columns : what.b.rows;
  return m == what.d.rows && n == what.d.columns && k == what.inner() &&
         what.c.rows == what.d.rows && what.c.columns == what.d.columns;
}

cublasStatus_t describe(const description& how, const layout& a, const layout& b, const layout& c,
                        const layout& d, batch_of_products& made) {
  blas::product& to = made.first;
  to.transposes_a = how.transposes_a != CUBLAS_OP_N;
  to.transposes_b = how.transposes_b != CUBLAS_OP_N;
  if (how.transposes_c != CUBLAS_OP_N || how.pointers > CUBLASLT_POINTER_MODE_DEVICE) {
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  for (const layout* each : {&a, &b, &c, &d}) {
    if (!is_supported(*each)) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (each->batches != d.batches) return CUBLAS_STATUS_INVALID_VALUE;
  }
  to.a = matrix_of(a, nullptr);
  to.b = matrix_of(b, nullptr);
  to.c = matrix_of(c, nullptr);
  to.d = matrix_of(d, nullptr);
  if (!shapes_fit(to)) return CUBLAS_STATUS_INVALID_VALUE;
  if (!describe_epilogue(how, to)) return CUBLAS_STATUS_NOT_SUPPORTED;
  made.count = d.batches;
  made.a_stride = a.stride;
  made.b_stride = b.stride;
  made.c_stride = c.stride;
  made.d_stride = d.stride;
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace
}  // namespace heddle_host::api

using namespace heddle_host::api;

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  return cublasCreate_v2(reinterpret_cast<cublasHandle_t*>(handle));
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return cublasDestroy_v2(reinterpret_cast<cublasHandle_t>(handle));
}
size_t cublasLtGetVersion() { return CUBLAS_VERSION; }

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* made, cudaDataType type,
                                          uint64_t rows, uint64_t columns, int64_t leading) {
  return make(made, layout{type, CUBLASLT_ORDER_COL, rows, columns, leading, 0, 1});
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t which) {
  delete which;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t of,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void* value, size_t bytes) {
  switch (attribute) {
    case CUBLASLT_MATRIX_LAYOUT_TYPE:
      return set(of, &layout::type, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_ORDER:
      return set(of, &layout::order, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_ROWS:
      return set(of, &layout::rows, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_COLS:
      return set(of, &layout::columns, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_LD:
      return set(of, &layout::leading, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
      return set(of, &layout::batches, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
      return set(of, &layout::stride, value, bytes);
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* made, cublasComputeType_t compute,
                                        cudaDataType scale) {
  return make(made,
              description{compute, scale, CUBLASLT_POINTER_MODE_HOST, CUBLASLT_EPILOGUE_DEFAULT,
                          CUBLAS_OP_N, CUBLAS_OP_N, CUBLAS_OP_N, -1, nullptr});
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t which) {
  delete which;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t of,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void* value, size_t bytes) {
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE:
      return set(of, &description::compute, value, bytes);
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE:
      return set(of, &description::scale, value, bytes);
    case CUBLASLT_MATMUL_DESC_POINTER_MODE:
      return set(of, &description::pointers, value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return set(of, &description::transposes_a, value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return set(of, &description::transposes_b, value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSC:
      return set(of, &description::transposes_c, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      return set(of, &description::epilogue, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return set(of, &description::bias, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
      return set(of, &description::bias_type, value, bytes);
    case CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET:
    case CUBLASLT_MATMUL_DESC_FAST_ACCUM:  // hints
      return CUBLAS_STATUS_SUCCESS;
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* made) {
  return make(made, 0);
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t which) {
  delete which;
  return CUBLAS_STATUS_SUCCESS;
}
// Ignored: preferences choose among algorithms, and there is only one.
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t of,
                                                    cublasLtMatmulPreferenceAttributes_t,
                                                    const void* value, size_t) {
  return of == nullptr || value == nullptr ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t how,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[],
                                              int* count) {
  if (count == nullptr || results == nullptr || wanted <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  *count = 0;
  if (how == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  for (const auto* each : {a, b, c, d}) {
    if (each == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  }
  batch_of_products made;
  const cublasStatus_t status = describe(get<description>(how), get<layout>(a), get<layout>(b),
                                         get<layout>(c), get<layout>(d), made);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  results[0] = {};
  results[0].state = CUBLAS_STATUS_SUCCESS;
  results[0].wavesCount = 1;
  *count = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t how, const void* alpha,
                              const void* a, cublasLtMatrixLayout_t a_layout, const void* b,
                              cublasLtMatrixLayout_t b_layout, const void* beta, const void* c,
                              cublasLtMatrixLayout_t c_layout, void* d,
                              cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t*, void*,
                              size_t, cudaStream_t stream) {
  if (find_blas(reinterpret_cast<cublasHandle_t>(handle)) == nullptr) {
    return CUBLAS_STATUS_NOT_INITIALIZED;
  }
  for (const void* each : {static_cast<const void*>(how), static_cast<const void*>(a_layout),
                           static_cast<const void*>(b_layout), static_cast<const void*>(c_layout),
                           static_cast<const void*>(d_layout)}) {
    if (each == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  }
  const auto options = get<description>(how);
  batch_of_products made;
  const cublasStatus_t status = describe(options, get<layout>(a_layout), get<layout>(b_layout),
                                         get<layout>(c_layout), get<layout>(d_layout), made);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  made.first.a.at = a;
  made.first.b.at = b;
  made.first.c.at = c == nullptr ? d : c;
  made.first.d.at = d;
  return multiply(stream, made, {alpha, beta, options.pointers == CUBLASLT_POINTER_MODE_DEVICE},
                  options.compute);
}
