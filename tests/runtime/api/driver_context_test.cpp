// The driver's contexts: stacks, lifetimes, and what belongs to them.
#include <thread>

#include "driver_calls.hpp"

namespace {

class driver_context : public driver_calls {};

TEST_F(driver_context, is_pushed_when_it_is_created) {
  CUcontext made = nullptr, now = nullptr;
  ASSERT_EQ(cuCtxCreate(&made, nullptr, 0, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxGetCurrent(&now), CUDA_SUCCESS);
  EXPECT_EQ(now, made);
  EXPECT_NE(made, primary);
  EXPECT_EQ(cuCtxDestroy(made), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxGetCurrent(&now), CUDA_SUCCESS);
  EXPECT_EQ(now, primary);
}

TEST_F(driver_context, stays_current_in_another_thread_after_it_is_destroyed) {
  CUcontext made = nullptr;
  ASSERT_EQ(cuCtxCreate(&made, nullptr, 0, 0), CUDA_SUCCESS);
  std::thread([&] {
    EXPECT_EQ(cuCtxSetCurrent(made), CUDA_SUCCESS);
    std::thread([&] {
      EXPECT_EQ(cuCtxDestroy(made), CUDA_SUCCESS);
      EXPECT_EQ(cuCtxDestroy(made), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    }).join();
    CUcontext now = nullptr;
    CUdeviceptr memory = 0;
    EXPECT_EQ(cuCtxGetCurrent(&now), CUDA_SUCCESS);
    EXPECT_EQ(now, made);
    EXPECT_EQ(cuMemAlloc(&memory, 64), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  }).join();
}

TEST_F(driver_context, belongs_to_one_thread) {
  std::thread([] {
    CUcontext now = nullptr;
    CUdeviceptr memory = 0;
    EXPECT_EQ(cuCtxGetCurrent(&now), CUDA_SUCCESS);
    EXPECT_EQ(now, nullptr);
    EXPECT_EQ(cuMemAlloc(&memory, 64), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cuCtxPopCurrent(nullptr), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cudaFree(nullptr), cudaSuccess);  // makes the primary context current
    EXPECT_EQ(cuMemAlloc(&memory, 64), CUDA_SUCCESS);
    EXPECT_EQ(cuMemFree(memory), CUDA_SUCCESS);
  }).join();
}

TEST_F(driver_context, frees_what_belongs_to_it) {
  CUcontext made = nullptr, owner = nullptr;
  CUdeviceptr mine = 0, other = memory_of({1, 2, 3});
  CUstream stream = nullptr;
  CUevent event = nullptr;
  ASSERT_EQ(cuCtxCreate(&made, nullptr, 0, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemAlloc(&mine, 64), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamCreate(&stream, CU_STREAM_DEFAULT), CUDA_SUCCESS);
  ASSERT_EQ(cuEventCreate(&event, CU_EVENT_DEFAULT), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamGetCtx(stream, &owner), CUDA_SUCCESS);
  EXPECT_EQ(owner, made);
  EXPECT_EQ(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, mine), CUDA_SUCCESS);
  EXPECT_EQ(owner, made);
  ASSERT_EQ(cuCtxDestroy(made), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree(mine), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuStreamQuery(stream), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuEventQuery(event), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(values_at(other, 3), std::vector({1, 2, 3}));
}

TEST_F(driver_context, refuses_wrong_arguments) {
  CUcontext made = nullptr;
  EXPECT_EQ(cuCtxCreate(nullptr, nullptr, 0, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuCtxCreate(&made, nullptr, 0, 7), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuCtxCreate(&made, nullptr, CU_CTX_SCHED_SPIN | CU_CTX_SCHED_YIELD, 0),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuCtxDestroy(primary), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxSetCurrent(reinterpret_cast<CUcontext>(0x7777)), CUDA_ERROR_INVALID_CONTEXT);
  size_t value = 0;
  EXPECT_EQ(cuCtxGetLimit(&value, CU_LIMIT_MAX), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 1 << 20), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxGetLimit(&value, CU_LIMIT_MALLOC_HEAP_SIZE), CUDA_SUCCESS);
  EXPECT_EQ(value, std::size_t{1} << 20);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

TEST(primary_context, lives_while_it_is_retained_or_the_runtime_uses_it) {
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
  const auto is_active = [] {
    unsigned flags = 0;
    int active = -7;
    EXPECT_EQ(cuDevicePrimaryCtxGetState(0, &flags, &active), CUDA_SUCCESS);
    return active;
  };
  EXPECT_EQ(is_active(), 0);
  EXPECT_EQ(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
  CUcontext made = nullptr;
  CUdeviceptr memory = 0;
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&made, 0), CUDA_SUCCESS);
  EXPECT_EQ(is_active(), 1);
  ASSERT_EQ(cuCtxSetCurrent(made), CUDA_SUCCESS);
  EXPECT_EQ(cuMemAlloc(&memory, 64), CUDA_SUCCESS);
  EXPECT_EQ(cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
  EXPECT_EQ(is_active(), 0);
  EXPECT_EQ(cuMemFree(memory), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(is_active(), 1);
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&made, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
  EXPECT_EQ(is_active(), 1);
  EXPECT_EQ(cuDevicePrimaryCtxReset(0), CUDA_SUCCESS);
  EXPECT_EQ(is_active(), 0);
}

}  // namespace
