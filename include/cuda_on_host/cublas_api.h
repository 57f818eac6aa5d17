// cuBLAS: handles, vector operations and matrix products. The host computes them in stream order.
#pragma once
#define CUBLAS_API_H_  // programs test for it
#include <stdint.h>

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <library_types.h>

#ifndef CUBLASWINAPI
#define CUBLASWINAPI
#endif

#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VER_BUILD 0
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum {
  CUBLAS_FILL_MODE_LOWER = 0,
  CUBLAS_FILL_MODE_UPPER = 1,
  CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2,
  CUBLAS_OP_HERMITAN = 2,
  CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;

// Ignored: there is only one algorithm.
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_ALGO1 = 1,
  CUBLAS_GEMM_ALGO2 = 2,
  CUBLAS_GEMM_ALGO3 = 3,
  CUBLAS_GEMM_ALGO4 = 4,
  CUBLAS_GEMM_ALGO5 = 5,
  CUBLAS_GEMM_ALGO6 = 6,
  CUBLAS_GEMM_ALGO7 = 7,
  CUBLAS_GEMM_ALGO23 = 23,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
  CUBLAS_GEMM_ALGO15_TENSOR_OP = 115,
  CUBLAS_GEMM_AUTOTUNE = 999
} cublasGemmAlgo_t;

typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_FP32_EMULATED_BF16X9_MATH = 4,
  CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH = 8,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;

typedef cudaDataType cublasDataType_t;

typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_32F_EMULATED_16BFX9 = 78,
  CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT = 79
} cublasComputeType_t;

struct cublasContext;
typedef struct cublasContext* cublasHandle_t;

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int* version);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace, size_t bytes);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);

cublasStatus_t cublasSetVector(int n, int elementBytes, const void* from, int fromStep, void* to,
                               int toStep);
cublasStatus_t cublasGetVector(int n, int elementBytes, const void* from, int fromStep, void* to,
                               int toStep);
cublasStatus_t cublasSetMatrix(int rows, int columns, int elementBytes, const void* from,
                               int fromLeading, void* to, int toLeading);
cublasStatus_t cublasGetMatrix(int rows, int columns, int elementBytes, const void* from,
                               int fromLeading, void* to, int toLeading);

#define HEDDLE_BLAS_VECTORS(letter, T)                                                             \
  cublasStatus_t cublas##letter##axpy_v2(cublasHandle_t handle, int n, const T* alpha, const T* x, \
                                         int xStep, T* y, int yStep);                              \
  cublasStatus_t cublas##letter##copy_v2(cublasHandle_t handle, int n, const T* x, int xStep,      \
                                         T* y, int yStep);                                         \
  cublasStatus_t cublas##letter##scal_v2(cublasHandle_t handle, int n, const T* alpha, T* x,       \
                                         int xStep);                                               \
  cublasStatus_t cublas##letter##dot_v2(cublasHandle_t handle, int n, const T* x, int xStep,       \
                                        const T* y, int yStep, T* result);                         \
  cublasStatus_t cublas##letter##nrm2_v2(cublasHandle_t handle, int n, const T* x, int xStep,      \
                                         T* result);                                               \
  cublasStatus_t cublas##letter##asum_v2(cublasHandle_t handle, int n, const T* x, int xStep,      \
                                         T* result);                                               \
  cublasStatus_t cublas##letter##gemv_v2(cublasHandle_t handle, cublasOperation_t operation,       \
                                         int m, int n, const T* alpha, const T* a, int lda,        \
                                         const T* x, int xStep, const T* beta, T* y, int yStep);
HEDDLE_BLAS_VECTORS(S, float)
HEDDLE_BLAS_VECTORS(D, double)
#undef HEDDLE_BLAS_VECTORS

#define HEDDLE_BLAS_PRODUCTS(letter, suffix, T)                                                 \
  cublasStatus_t cublas##letter##gemm##suffix(cublasHandle_t handle, cublasOperation_t transA,  \
                                              cublasOperation_t transB, int m, int n, int k,    \
                                              const T* alpha, const T* a, int lda, const T* b,  \
                                              int ldb, const T* beta, T* c, int ldc);           \
  cublasStatus_t cublas##letter##gemmStridedBatched(                                            \
      cublasHandle_t handle, cublasOperation_t transA, cublasOperation_t transB, int m, int n,  \
      int k, const T* alpha, const T* a, int lda, long long int aStride, const T* b, int ldb,   \
      long long int bStride, const T* beta, T* c, int ldc, long long int cStride, int batches); \
  cublasStatus_t cublas##letter##gemmBatched(                                                   \
      cublasHandle_t handle, cublasOperation_t transA, cublasOperation_t transB, int m, int n,  \
      int k, const T* alpha, const T* const a[], int lda, const T* const b[], int ldb,          \
      const T* beta, T* const c[], int ldc, int batches);
HEDDLE_BLAS_PRODUCTS(S, _v2, float)
HEDDLE_BLAS_PRODUCTS(D, _v2, double)
HEDDLE_BLAS_PRODUCTS(H, , __half)
#undef HEDDLE_BLAS_PRODUCTS

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transA,
                            cublasOperation_t transB, int m, int n, int k, const void* alpha,
                            const void* a, cudaDataType aType, int lda, const void* b,
                            cudaDataType bType, int ldb, const void* beta, void* c,
                            cudaDataType cType, int ldc, cublasComputeType_t computeType,
                            cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transA, cublasOperation_t transB, int m, int n, int k,
    const void* alpha, const void* a, cudaDataType aType, int lda, long long int aStride,
    const void* b, cudaDataType bType, int ldb, long long int bStride, const void* beta, void* c,
    cudaDataType cType, int ldc, long long int cStride, int batches,
    cublasComputeType_t computeType, cublasGemmAlgo_t algorithm);
}
