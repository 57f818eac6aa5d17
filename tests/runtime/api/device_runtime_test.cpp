// Dynamic parallelism: what lanes launch, when it runs, and the errors that they get.
#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "kernels.hpp"

namespace {

// Kernels append their numbers as they run, on any worker.
std::vector<int> log_of_run;
std::mutex log_mutex;

void log_number(int number) {
  heddle_host::enter_kernel(__PRETTY_FUNCTION__, {}, [=]() mutable -> void {
    const std::lock_guard lock(log_mutex);
    log_of_run.push_back(number);
  });
}

void launch(cudaStream_t on, int number) { launch_on(on, 1, 1, log_number, number); }

class device_runtime : public device_test {
 protected:
  void SetUp() override {
    device_test::SetUp();
    log_of_run.clear();
  }

  // Runs a kernel with this body in one lane, or in several.
  template <typename Body>
  cudaError_t run(Body body, unsigned lanes = 1) {
    heddle_host::push_configuration(1, lanes) ? (void)0 : kernel_of(body);
    return cudaDeviceSynchronize();
  }

 private:
  template <typename Body>
  static void kernel_of(Body body) {
    heddle_host::enter_kernel(__PRETTY_FUNCTION__, {}, [=]() mutable -> void { body(); });
  }
};

using numbers = std::vector<int>;

TEST_F(device_runtime, children_run_after_their_parent_in_the_order_of_the_launches) {
  ASSERT_EQ(run([] {
              for (int i = 1; i <= 3; ++i) launch(nullptr, i);
              log_of_run.push_back(0);
            }),
            cudaSuccess);
  EXPECT_EQ(log_of_run, (numbers{0, 1, 2, 3}));
}

void launch_two_levels(int number) {
  heddle_host::enter_kernel(__PRETTY_FUNCTION__, {}, [=]() mutable -> void {
    launch(nullptr, number + 1);
    launch(nullptr, number + 2);
  });
}

TEST_F(device_runtime, a_child_completes_after_its_own_children) {
  ASSERT_EQ(run([] {
              launch_on(nullptr, 1, 1, launch_two_levels, 10);
              launch(nullptr, 20);
            }),
            cudaSuccess);
  EXPECT_EQ(log_of_run, (numbers{11, 12, 20}));
}

TEST_F(device_runtime, tail_launches_run_last) {
  ASSERT_EQ(run([] {
              launch(cudaStreamTailLaunch, 8);
              launch(cudaStreamTailLaunch, 9);
              launch(cudaStreamFireAndForget, 1);
              launch_on(nullptr, 1, 1, launch_two_levels, 10);
            }),
            cudaSuccess);
  EXPECT_EQ(log_of_run, (numbers{1, 11, 12, 8, 9}));
}

void continue_by_tails(int left) {
  heddle_host::enter_kernel(__PRETTY_FUNCTION__, {}, [=]() mutable -> void {
    if (left > 0) launch_on(cudaStreamTailLaunch, 1, 1, continue_by_tails, left - 1);
    if (left == 0) log_of_run.push_back(0);
  });
}

TEST_F(device_runtime, a_kernel_continues_by_tail_launches_without_a_limit) {
  ASSERT_EQ(run([] {
              launch_on(cudaStreamTailLaunch, 1, 1, continue_by_tails, 5000);
              launch(cudaStreamTailLaunch, 1);
            }),
            cudaSuccess);
  EXPECT_EQ(log_of_run, (numbers{0, 1}));
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

std::atomic<int> deepest{0};
std::atomic<int> error_at_the_end{-1};
void nest(int depth) {
  heddle_host::enter_kernel(__PRETTY_FUNCTION__, {}, [=]() mutable -> void {
    deepest = depth;
    launch_on(nullptr, 1, 1, nest, depth + 1);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) error_at_the_end = error;
  });
}

TEST_F(device_runtime, launches_nest_24_levels_deep) {
  launch_on(nullptr, 1, 1, nest, 0);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(deepest, 24);
  EXPECT_EQ(error_at_the_end, cudaErrorLaunchMaxDepthExceeded);
}

TEST_F(device_runtime, pending_launches_are_limited) {
  ASSERT_EQ(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 3), cudaSuccess);
  static cudaError_t errors[5];
  const auto launch_five = [] {
    for (int i = 0; i < 5; ++i) {
      launch(nullptr, i);
      errors[i] = cudaGetLastError();
    }
  };
  for (int round = 0; round < 2; ++round) {
    log_of_run.clear();
    ASSERT_EQ(run(launch_five), cudaSuccess);
    EXPECT_EQ(log_of_run, (numbers{0, 1, 2}));
    EXPECT_EQ(errors[2], cudaSuccess);
    EXPECT_EQ(errors[3], cudaErrorLaunchPendingCountExceeded);
  }
}

TEST_F(device_runtime, an_invalid_launch_is_an_error_of_its_lane) {
  static cudaError_t peeked[4], last[4], again[4];
  ASSERT_EQ(run(
                [] {
                  const unsigned lane = threadIdx.x;
                  launch_on(nullptr, 1, lane == 2 ? 2048 : 1, log_number, static_cast<int>(lane));
                  peeked[lane] = cudaPeekAtLastError();
                  last[lane] = cudaGetLastError();
                  again[lane] = cudaGetLastError();
                },
                4),
            cudaSuccess);
  for (unsigned lane = 0; lane < 4; ++lane) {
    EXPECT_EQ(peeked[lane] == cudaSuccess, lane != 2);
    EXPECT_EQ(last[lane], peeked[lane]);
    EXPECT_EQ(again[lane], cudaSuccess);
  }
  EXPECT_EQ(log_of_run, (numbers{0, 1, 3}));
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(device_runtime, streams_belong_to_their_grid) {
  static cudaStream_t of_host, kept, another;
  ASSERT_EQ(cudaStreamCreate(&of_host), cudaSuccess);
  static cudaError_t errors[6];
  ASSERT_EQ(run([] {
              errors[0] = cudaStreamCreateWithFlags(&kept, cudaStreamNonBlocking);
              errors[1] = cudaStreamCreateWithFlags(&another, 2);
              launch(kept, 1);
              errors[2] = cudaStreamDestroy(kept);  // its work still runs
              errors[3] = cudaStreamDestroy(kept);
              cudaGetLastError();
              launch(kept, 2);
              errors[4] = cudaGetLastError();
              launch(of_host, 3);
              errors[5] = cudaGetLastError();
            }),
            cudaSuccess);
  EXPECT_EQ(errors[0], cudaSuccess);
  EXPECT_EQ(errors[1], cudaErrorInvalidValue);
  EXPECT_EQ(errors[2], cudaSuccess);
  for (int i = 3; i < 6; ++i) EXPECT_EQ(errors[i], cudaErrorInvalidResourceHandle);
  EXPECT_EQ(log_of_run, (numbers{1}));
  ASSERT_EQ(run([] { launch(kept, 4); }), cudaSuccess);
  EXPECT_EQ(log_of_run, (numbers{1}));
}

TEST_F(device_runtime, copies_and_fills_run_in_their_stream) {
  int* values = nullptr;
  ASSERT_EQ(cudaMallocManaged(&values, 3 * sizeof(int)), cudaSuccess);
  values[0] = values[1] = values[2] = 0;
  ASSERT_EQ(run([=] {
              cudaMemsetAsync(values, 1, sizeof(int));
              launch_on(nullptr, 1, 1, add_to_all, values, 5);
              cudaMemcpyAsync(values + 1, values, sizeof(int), cudaMemcpyDeviceToDevice);
              launch_on(nullptr, 1, 1, add_to_all, values, 5);
              cudaMemcpyAsync(values + 2, values, sizeof(int), cudaMemcpyDeviceToDevice,
                              cudaStreamTailLaunch);
              values[0] = 77;
            }),
            cudaSuccess);
  EXPECT_EQ(values[1], 0x01010101 + 5);
  EXPECT_EQ(values[2], 0x01010101 + 10);
}

TEST_F(device_runtime, a_fault_of_a_child_is_a_fault_of_the_device) {
  EXPECT_EQ(run([] {
              launch_on(nullptr, 1, 1, end_by_trap);
              launch(nullptr, 1);
            }),
            cudaErrorLaunchFailure);
  EXPECT_EQ(log_of_run, numbers());
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  ASSERT_EQ(run([] { launch(nullptr, 2); }), cudaSuccess);
  EXPECT_EQ(log_of_run, (numbers{2}));
}

TEST_F(device_runtime, work_after_the_parent_comes_after_its_children) {
  ASSERT_EQ(run([] { launch(nullptr, 1); }), cudaSuccess);
  launch_on(nullptr, 1, 1, launch_two_levels, 10);
  launch(nullptr, 2);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(log_of_run, (numbers{1, 11, 12, 2}));
}

TEST_F(device_runtime, lanes_allocate_from_the_device_heap) {
  static void* block = nullptr;
  static cudaError_t errors[3];
  int* of_host = nullptr;
  ASSERT_EQ(cudaMalloc(&of_host, 4), cudaSuccess);
  ASSERT_EQ(run([=] {
              errors[0] = cudaMalloc(&block, 64);
              errors[1] = cudaFree(of_host);
            }),
            cudaSuccess);
  EXPECT_EQ(errors[0], cudaSuccess);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(errors[1], cudaErrorInvalidValue);
  ASSERT_EQ(run([] { errors[2] = cudaFree(block); }), cudaSuccess);
  EXPECT_EQ(errors[2], cudaSuccess);
}

TEST_F(device_runtime, lanes_cannot_make_calls_of_the_host) {
  static cudaError_t error;
  static int device = -1;
  ASSERT_EQ(run([] {
              error = cudaDeviceSynchronize();
              cudaGetDevice(&device);
            }),
            cudaSuccess);
  EXPECT_EQ(error, cudaErrorNotPermitted);
  EXPECT_EQ(device, 0);
}

}  // namespace
