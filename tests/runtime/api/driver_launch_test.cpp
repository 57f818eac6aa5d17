// The driver's calls about kernels, streams and entry points.
#include <string>

#include "driver_calls.hpp"

extern "C" void plain_kernel(int*);
extern "C" void plain_kernel(int*) {
  heddle_host::enter_kernel(__PRETTY_FUNCTION__, {}, [=]() mutable -> void {});
}

namespace {

void mixed(char, double, short, int*) {
  heddle_host::enter_kernel(__PRETTY_FUNCTION__, {}, [=]() mutable -> void {});
}

// The frontend registers kernels in the same way.
const bool are_known = heddle_host::make_known(add_to_all) && heddle_host::make_known(mixed) &&
                       heddle_host::make_known(plain_kernel) &&
                       heddle_host::make_known(at_most_128_threads);

class driver_launch : public driver_calls {
 protected:
  void SetUp() override {
    driver_calls::SetUp();
    ASSERT_TRUE(are_known);
    ASSERT_EQ(cudaGetFuncBySymbol(&function, add_to_all), cudaSuccess);
  }
  CUfunction function = nullptr;
};

TEST_F(driver_launch, takes_arguments_by_address) {
  const CUdeviceptr memory = memory_of({1, 2, 3, 4});
  int* data = ints_at(memory);
  int increment = 10;
  void* arguments[] = {&data, &increment};
  EXPECT_EQ(cuLaunchKernel(function, 2, 1, 1, 2, 1, 1, 0, nullptr, arguments, nullptr),
            CUDA_SUCCESS);
  EXPECT_EQ(values_at(memory, 4), std::vector({11, 12, 13, 14}));
}

TEST_F(driver_launch, takes_arguments_from_a_buffer) {
  const CUdeviceptr memory = memory_of({1, 2, 3, 4});
  struct {
    CUdeviceptr data;
    int increment;
  } packed = {memory, 100};
  std::size_t bytes = sizeof(CUdeviceptr) + sizeof(int);  // without padding at the end
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  EXPECT_EQ(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, nullptr, nullptr, extra), CUDA_SUCCESS);
  EXPECT_EQ(values_at(memory, 4), std::vector({101, 102, 103, 104}));
}

TEST_F(driver_launch, refuses_wrong_arguments) {
  int* data = nullptr;
  int increment = 0;
  void* arguments[] = {&data, &increment};
  const auto launch = [&](CUfunction what, unsigned grid, unsigned block) {
    return cuLaunchKernel(what, grid, 1, 1, block, 1, 1, 0, nullptr, arguments, nullptr);
  };
  EXPECT_EQ(launch(nullptr, 1, 1), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(launch(reinterpret_cast<CUfunction>(&data), 1, 1), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(launch(function, 0, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(function, 1, 2048), CUDA_ERROR_INVALID_VALUE);
  std::size_t bytes = 0;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &data, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  const auto launch_from_buffer = [&](std::size_t size) {
    bytes = size;
    return cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra);
  };
  EXPECT_EQ(launch_from_buffer(0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch_from_buffer(16), CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

TEST_F(driver_launch, reports_a_fault_with_the_drivers_code) {
  CUfunction traps = nullptr;
  ASSERT_TRUE(heddle_host::make_known(end_by_trap));
  ASSERT_EQ(cudaGetFuncBySymbol(&traps, end_by_trap), cudaSuccess);
  ASSERT_EQ(cuLaunchKernel(traps, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
}

TEST_F(driver_launch, knows_parameters_and_names) {
  ASSERT_EQ(cudaGetFuncBySymbol(&function, mixed), cudaSuccess);
  const std::size_t expected[][2] = {{0, 1}, {8, 8}, {16, 2}, {24, 8}};
  for (std::size_t i = 0; i < 4; ++i) {
    std::size_t offset = 77, bytes = 77;
    EXPECT_EQ(cuFuncGetParamInfo(function, i, &offset, &bytes), CUDA_SUCCESS);
    EXPECT_EQ(offset, expected[i][0]);
    EXPECT_EQ(bytes, expected[i][1]);
  }
  std::size_t offset = 77;
  EXPECT_EQ(cuFuncGetParamInfo(function, 4, &offset, nullptr), CUDA_ERROR_INVALID_VALUE);
  const char* name = nullptr;
  EXPECT_EQ(cudaFuncGetName(&name, add_to_all), cudaSuccess);
  EXPECT_STREQ(name, "_Z10add_to_allPii");
  EXPECT_EQ(cudaFuncGetName(&name, plain_kernel), cudaSuccess);
  EXPECT_STREQ(name, "plain_kernel");
}

TEST_F(driver_launch, has_the_runtimes_attributes_and_occupancy) {
  CUfunction bounded = nullptr;
  ASSERT_EQ(cudaGetFuncBySymbol(&bounded, at_most_128_threads), cudaSuccess);
  int value = 0, by_runtime = 0, grid = 0;
  EXPECT_EQ(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, bounded),
            CUDA_SUCCESS);
  EXPECT_EQ(value, 128);
  EXPECT_EQ(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX, bounded), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, bounded, 128, 0), CUDA_SUCCESS);
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&by_runtime, at_most_128_threads, 128, 0),
            cudaSuccess);
  EXPECT_EQ(value, by_runtime);
  EXPECT_EQ(cuOccupancyMaxPotentialBlockSize(&grid, &value, bounded, nullptr, 0, 0), CUDA_SUCCESS);
  int runtime_grid = 0;
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&runtime_grid, &by_runtime, at_most_128_threads),
            cudaSuccess);
  EXPECT_EQ(value, by_runtime);
  EXPECT_EQ(grid, runtime_grid);
}

TEST_F(driver_launch, follows_streams_and_calls_back) {
  CUstream stream = nullptr;
  ASSERT_EQ(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  struct {
    CUstream stream = nullptr;
    CUresult status = CUDA_ERROR_UNKNOWN;
  } seen;
  ASSERT_EQ(cuStreamAddCallback(
                stream,
                [](CUstream on, CUresult status, void* to) {
                  auto& result = *static_cast<decltype(seen)*>(to);
                  result = {on, status};
                },
                &seen, 0),
            CUDA_SUCCESS);
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(seen.stream, stream);
  EXPECT_EQ(seen.status, CUDA_SUCCESS);
  EXPECT_EQ(cuStreamDestroy(stream), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamQuery(stream), CUDA_ERROR_INVALID_HANDLE);
}

TEST(entry_point, is_the_form_of_the_requested_version) {
  const auto find = [](const char* name, int version, CUdriverProcAddressQueryResult expected) {
    void* found = reinterpret_cast<void*>(1);
    CUdriverProcAddressQueryResult status{};
    EXPECT_EQ(cuGetProcAddress(name, &found, version, 0, &status), CUDA_SUCCESS);
    EXPECT_EQ(status, expected) << name << ' ' << version;
    return found;
  };
  EXPECT_EQ(find("cuMemAlloc", 13000, CU_GET_PROC_ADDRESS_SUCCESS),
            reinterpret_cast<void*>(cuMemAlloc));
  EXPECT_EQ(find("cuMemAlloc", 2000, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT), nullptr);
  EXPECT_EQ(find("cuNoSuchCall", 13000, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND), nullptr);
  EXPECT_EQ(find("cuCtxCreate", 13000, CU_GET_PROC_ADDRESS_SUCCESS),
            reinterpret_cast<void*>(cuCtxCreate));
  void* const old = find("cuCtxCreate", 11030, CU_GET_PROC_ADDRESS_SUCCESS);
  EXPECT_NE(old, reinterpret_cast<void*>(cuCtxCreate));
  CUcontext made = nullptr;
  ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
  ASSERT_EQ(reinterpret_cast<CUresult (*)(CUcontext*, unsigned, CUdevice)>(old)(&made, 0, 0),
            CUDA_SUCCESS);
  EXPECT_EQ(cuCtxDestroy(made), CUDA_SUCCESS);
  void* found = nullptr;
  EXPECT_EQ(cuGetProcAddress("cuInit", &found, 14000, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cudaGetDriverEntryPoint("cuInit", &found, 9), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetDriverEntryPoint("cuInit", &found, cudaEnableDefault), cudaSuccess);
  EXPECT_EQ(found, reinterpret_cast<void*>(cuInit));
}

}  // namespace
