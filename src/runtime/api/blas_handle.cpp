// cuBLAS: handles, their settings, and copies of vectors and matrices.
#include <mutex>
#include <unordered_map>

#include <cublas_v2.h>

#include "api/blas.hpp"
#include "api/call.hpp"
#include "api/streams.hpp"

namespace heddle_host::api {
namespace {

struct handle_map {
  std::mutex mutex;
  std::unordered_map<cublasHandle_t, std::shared_ptr<blas_handle>> alive;
};
// Never destroyed: handles may be used while the program exits.
handle_map& handles() {
  static handle_map& only = *new handle_map;
  return only;
}

template <typename Body>
cublasStatus_t with_handle(cublasHandle_t handle, Body body) {
  const std::shared_ptr<blas_handle> found = find_blas(handle);
  if (found == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  return body(*found) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

template <typename Value>
bool put(Value* to, Value value) {
  if (to != nullptr) *to = value;
  return to != nullptr;
}

// Copies `columns` columns of `rows` elements, as cublasSetMatrix and similar functions do.
cublasStatus_t copy_columns(std::int64_t rows, std::int64_t columns, int bytes, const void* from,
                            std::int64_t from_leading, void* to, std::int64_t to_leading,
                            cudaMemcpyKind kind) {
  if (rows < 0 || columns < 0 || bytes <= 0 || from_leading < rows || to_leading < rows) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
  const auto in_bytes = [&](std::int64_t count) { return static_cast<size_t>(count * bytes); };
  const cudaError_t error = cudaMemcpy2D(to, in_bytes(to_leading), from, in_bytes(from_leading),
                                         in_bytes(rows), static_cast<size_t>(columns), kind);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

}  // namespace

std::shared_ptr<blas_handle> find_blas(cublasHandle_t handle) {
  const std::lock_guard lock(handles().mutex);
  const auto found = handles().alive.find(handle);
  return found == handles().alive.end() ? nullptr : found->second;
}

cublasStatus_t submit_blas(cudaStream_t stream, std::function<void()> work, bool waits) {
  const cudaError_t error = device_call([&] {
    stream::operation operation;
    operation.run = [work = std::move(work)] {
      work();
      return cudaSuccess;
    };
    operation.type = cudaGraphNodeTypeKernel;
    return waits ? enqueue_and_wait(stream, std::move(operation))
                 : enqueue(stream, std::move(operation), stream::urgency::background);
  });
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

template <typename Number>
factor<Number>::factor(const void* at, cudaDataType type, bool is_on_device)
    : where_(blas::vector_at(at, type, 1, 1)), is_on_device_(is_on_device) {
  if (is_on_device_) return;
  switch (type) {
    case CUDA_R_16F:
      known_ = static_cast<Number>(__half2float(*static_cast<const __half*>(at)));
      break;
    case CUDA_R_64F:
      known_ = static_cast<Number>(*static_cast<const double*>(at));
      break;
    default:
      known_ = static_cast<Number>(*static_cast<const float*>(at));
  }
}

template <typename Number>
Number factor<Number>::value() const {
  return is_on_device_ ? blas::fetch<Number>(where_)[0] : known_;
}

template class factor<float>;
template class factor<double>;

}  // namespace heddle_host::api

using heddle_host::api::blas_handle;
using heddle_host::api::copy_columns;
using heddle_host::api::put;
using heddle_host::api::with_handle;

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  auto made = std::make_shared<blas_handle>();
  *handle = reinterpret_cast<cublasHandle_t>(made.get());
  auto& table = heddle_host::api::handles();
  const std::lock_guard lock(table.mutex);
  table.alive.emplace(*handle, std::move(made));
  return CUBLAS_STATUS_SUCCESS;
}

// Waits for the device, as NVIDIA's cuBLAS does.
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  if (heddle_host::api::find_blas(handle) == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  (void)cudaDeviceSynchronize();
  auto& table = heddle_host::api::handles();
  const std::lock_guard lock(table.mutex);
  table.alive.erase(handle);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int* version) {
  return put(version, CUBLAS_VERSION) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  constexpr int parts[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  if (type < MAJOR_VERSION || type > PATCH_LEVEL) return CUBLAS_STATUS_INVALID_VALUE;
  return put(value, parts[type]) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

// Ignored: no function here needs a workspace.
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void*, size_t) {
  return with_handle(handle, [](blas_handle&) { return true; });
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  return with_handle(handle, [&](blas_handle& of) { return put(&of.stream, stream); });
}
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream) {
  return with_handle(handle, [&](blas_handle& of) { return put(stream, of.stream); });
}

cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  return with_handle(handle, [&](blas_handle& of) {
    const bool is_known = mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE;
    return is_known && put(&of.pointers, mode);
  });
}
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return with_handle(handle, [&](blas_handle& of) { return put(mode, of.pointers); });
}

cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return with_handle(handle, [&](blas_handle& of) { return put(&of.atomics, mode); });
}
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  return with_handle(handle, [&](blas_handle& of) { return put(mode, of.atomics); });
}

// Has no effect: the modes only allow less precision.
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return with_handle(handle, [&](blas_handle& of) { return put(&of.math, mode); });
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return with_handle(handle, [&](blas_handle& of) { return put(mode, of.math); });
}

const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED:
      return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_ARCH_MISMATCH:
      return "CUBLAS_STATUS_ARCH_MISMATCH";
    case CUBLAS_STATUS_MAPPING_ERROR:
      return "CUBLAS_STATUS_MAPPING_ERROR";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_INTERNAL_ERROR:
      return "CUBLAS_STATUS_INTERNAL_ERROR";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    case CUBLAS_STATUS_LICENSE_ERROR:
      return "CUBLAS_STATUS_LICENSE_ERROR";
  }
  return "UNKNOWN";
}

const char* cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "success";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "the library was not initialized";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "an unsupported value or parameter was passed to the function";
    case CUBLAS_STATUS_MAPPING_ERROR:
      return "an access to GPU memory space failed";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "the GPU program failed to execute";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "the functionality requested is not supported";
    default:
      return cublasGetStatusName(status);
  }
}

cublasStatus_t cublasSetVector(int n, int elementBytes, const void* from, int fromStep, void* to,
                               int toStep) {
  return copy_columns(1, n, elementBytes, from, fromStep, to, toStep, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetVector(int n, int elementBytes, const void* from, int fromStep, void* to,
                               int toStep) {
  return copy_columns(1, n, elementBytes, from, fromStep, to, toStep, cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int elementBytes, const void* from,
                               int fromLeading, void* to, int toLeading) {
  return copy_columns(rows, columns, elementBytes, from, fromLeading, to, toLeading,
                      cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int elementBytes, const void* from,
                               int fromLeading, void* to, int toLeading) {
  return copy_columns(rows, columns, elementBytes, from, fromLeading, to, toLeading,
                      cudaMemcpyDeviceToHost);
}
