// What the cuBLAS functions share: handles, factors, and submitting work to a stream.
#pragma once
#include <functional>
#include <memory>

#include <cublas_api.h>

#include "blas/product.hpp"

namespace heddle_host::api {

struct blas_handle {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
};

// Null if there is no such handle.
std::shared_ptr<blas_handle> find_blas(cublasHandle_t handle);

// A factor such as alpha. In host memory it is read now; in device memory, when the work runs.
template <typename Number>
class factor {
 public:
  factor(const void* at, cudaDataType type, bool is_on_device);
  Number value() const;

 private:
  blas::matrix where_;
  bool is_on_device_;
  Number known_{};
};

// Submits work to a stream. If `waits` is true, returns when the work is done.
cublasStatus_t submit_blas(cudaStream_t stream, std::function<void()> work, bool waits = false);

// One or more products of the same shape.
struct batch_of_products {
  blas::product first;
  std::int64_t count = 1;
  std::int64_t a_stride = 0, b_stride = 0, c_stride = 0, d_stride = 0;  // in elements
};
struct factors {
  const void* alpha;
  const void* beta;
  bool are_on_device;
};
cublasStatus_t multiply(cudaStream_t stream, batch_of_products what, factors by,
                        cublasComputeType_t in);

}  // namespace heddle_host::api
