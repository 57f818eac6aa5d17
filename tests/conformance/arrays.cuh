// Arrays that are filled from host values, and objects over them.
#pragma once
#include <algorithm>

#include "conformance.hpp"

namespace conformance {

// Owns an array. A dimension that the array does not have is 0.
template <typename T>
class filled_array {
 public:
  filled_array(const std::vector<T>& values, cudaExtent extent, unsigned flags = 0,
               cudaChannelFormatDesc format = cudaCreateChannelDesc<T>())
      : box_(make_cudaExtent(extent.width, std::max<std::size_t>(extent.height, 1),
                             std::max<std::size_t>(extent.depth, 1))) {
    CHECKED(cudaMalloc3DArray(&array_, &format, extent, flags));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = host_side(const_cast<T*>(values.data()));
    copy.dstArray = array_;
    copy.extent = box_;
    copy.kind = cudaMemcpyHostToDevice;
    CHECKED(cudaMemcpy3D(&copy));
  }
  filled_array(const filled_array&) = delete;
  ~filled_array() { cudaFreeArray(array_); }
  operator cudaArray_t() const { return array_; }

  std::vector<T> read() const {
    CHECKED(cudaGetLastError());
    CHECKED(cudaDeviceSynchronize());
    std::vector<T> values(box_.width * box_.height * box_.depth);
    cudaMemcpy3DParms copy = {};
    copy.srcArray = array_;
    copy.dstPtr = host_side(values.data());
    copy.extent = box_;
    copy.kind = cudaMemcpyDeviceToHost;
    CHECKED(cudaMemcpy3D(&copy));
    return values;
  }

 private:
  cudaPitchedPtr host_side(T* values) const {
    return make_cudaPitchedPtr(values, box_.width * sizeof(T), box_.width, box_.height);
  }

  cudaExtent box_;
  cudaArray_t array_ = nullptr;
};

inline cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

// Small integers: sums of them with weights of eight bits are exact.
template <typename T>
std::vector<T> numbered(std::size_t count, int step = 3) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(i * step % 97);
  return values;
}

}  // namespace conformance
