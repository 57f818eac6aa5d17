// Runs a function in every thread of a block and returns each thread's result.
#pragma once
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace heddle_test {

inline void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) {
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorName(error));
  }
}

// Device memory filled with a pattern that no test expects, or with given values. The constructor
// waits until it is filled, so streams that do not wait for the legacy stream can use it.
template <typename T>
class device_array {
 public:
  explicit device_array(std::size_t count) : count_(count) {
    check(cudaMalloc(&memory_, bytes()), "cudaMalloc");
    check(cudaMemset(memory_, 0xa5, bytes()), "cudaMemset");
    check(cudaStreamSynchronize(cudaStreamLegacy), "cudaMemset");
  }
  explicit device_array(const std::vector<T>& values) : device_array(values.size()) {
    check(cudaMemcpy(memory_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), "copy");
    check(cudaStreamSynchronize(cudaStreamLegacy), "copy");
  }
  ~device_array() { cudaFree(memory_); }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;

  T* data() const { return memory_; }
  std::vector<T> values() const {
    std::vector<T> copy(count_);
    check(cudaMemcpy(copy.data(), memory_, count_ * sizeof(T), cudaMemcpyDeviceToHost), "copy");
    return copy;
  }

 private:
  std::size_t bytes() const { return count_ == 0 ? 1 : count_ * sizeof(T); }
  T* memory_ = nullptr;
  std::size_t count_;
};

// The bounds let every function run in the largest blocks, whatever number of registers it wants.
template <typename Answer, typename Function>
__global__ void __launch_bounds__(1024) ask_every_thread(Function function, Answer* answers) {
  const unsigned thread =
      threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z) +
      (blockIdx.x + gridDim.x * blockIdx.y) * (blockDim.x * blockDim.y * blockDim.z);
  answers[thread] = function();
}

// The result of `function` in each thread, in thread order. `function` is an object with
// `__device__ Answer operator()() const` that carries everything it needs. A thread that exits
// without returning leaves 0xa5 in every byte.
template <typename Function>
auto answers_of(const Function& function, dim3 block = dim3(32), dim3 grid = dim3(1)) {
  using answer = std::decay_t<decltype(std::declval<const Function&>()())>;
  device_array<answer> answers(std::size_t{1} * block.x * block.y * block.z * grid.x * grid.y);
  ask_every_thread<<<grid, block>>>(function, answers.data());
  check(cudaGetLastError(), "the launch");
  check(cudaDeviceSynchronize(), "the kernel");
  return answers.values();
}

}  // namespace heddle_test
