// Kernels as the frontend writes them, and gates that block a stream without sleeping.
#pragma once
#include <condition_variable>
#include <mutex>

#include <cuda_runtime.h>
#include <gtest/gtest.h>

// Adds `value` to each element, with a one-dimensional grid.
inline void add_to_all(int* data, int value) {
  heddle_host::enter_kernel(__PRETTY_FUNCTION__, {}, [=]() mutable -> void {
    data[blockIdx.x * blockDim.x + threadIdx.x] += value;
  });
}

// data = data * factor + term, modulo 2^64: two of these do not commute.
inline void multiply_and_add(long long* data, long long factor, long long term) {
  heddle_host::enter_kernel(__PRETTY_FUNCTION__, {}, [=]() mutable -> void {
    const auto product =
        static_cast<unsigned long long>(*data) * static_cast<unsigned long long>(factor);
    *data = static_cast<long long>(product + static_cast<unsigned long long>(term));
  });
}

inline void do_nothing() {
  heddle_host::enter_kernel(__PRETTY_FUNCTION__, {}, [=]() mutable -> void {});
}

inline void end_by_trap() {
  heddle_host::enter_kernel(__PRETTY_FUNCTION__, {}, [=]() mutable -> void { __trap(); });
}

inline void at_most_128_threads() {
  heddle_host::enter_kernel(__PRETTY_FUNCTION__, {128}, [=]() mutable -> void {});
}

// A host function that blocks its stream until the test opens the gate.
class gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }

  void wait() {
    std::unique_lock lock(mutex_);
    has_begun_ = true;
    changed_.notify_all();
    changed_.wait(lock, [&] { return is_open_; });
    --held_;
    changed_.notify_all();
  }

  // Returns when the stream has reached the gate.
  void wait_for_stream() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return has_begun_; });
  }

  // Puts the gate into the stream.
  void hold(cudaStream_t stream) {
    {
      const std::lock_guard lock(mutex_);
      ++held_;
    }
    ASSERT_EQ(cudaLaunchHostFunc(
                  stream, [](void* self) { static_cast<gate*>(self)->wait(); }, this),
              cudaSuccess);
  }

  ~gate() {
    open();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return held_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_open_ = false;
  bool has_begun_ = false;
  int held_ = 0;  // streams that have not passed yet
};

// Launches as `kernel<<<grid, block, shared, stream>>>(arguments…)` does after rewriting.
template <typename... Parameters, typename... Arguments>
void launch_on(cudaStream_t stream, dim3 grid, dim3 block, void (*kernel)(Parameters...),
               Arguments... arguments) {
  heddle_host::push_configuration(grid, block, 0, stream) ? (void)0 : kernel(arguments...);
}

// Resets the device before and after each test.
class device_test : public testing::Test {
 protected:
  void SetUp() override { TearDown(); }
  void TearDown() override {
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    cudaGetLastError();
  }
};
