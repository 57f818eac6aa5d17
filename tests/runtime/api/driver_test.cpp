// The driver's calls about devices and errors give the same answers as the runtime's.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <type_traits>

namespace {

static_assert(std::is_same_v<CUstream, cudaStream_t> && std::is_same_v<CUevent, cudaEvent_t> &&
              std::is_same_v<CUgraph, cudaGraph_t> && std::is_same_v<CUfunction, cudaFunction_t> &&
              std::is_same_v<CUmemoryPool, cudaMemPool_t> && std::is_same_v<CUuuid, cudaUUID_t>);

// Runs before main, when nothing has initialized the driver.
struct answers_before_initialization {
  int count = -7;
  int version = -7;
  const char* name = nullptr;
  CUresult counted = cuDeviceGetCount(&count);
  CUresult gotten = cuDeviceGet(&count, 0);
  CUresult versioned = cuDriverGetVersion(&version);
  CUresult named = cuGetErrorName(CUDA_ERROR_NOT_INITIALIZED, &name);
  CUresult with_flags = cuInit(1);
  CUresult still_not = cuDeviceGetCount(&count);
};
const answers_before_initialization before;

TEST(driver, calls_fail_before_cu_init) {
  EXPECT_EQ(before.counted, CUDA_ERROR_NOT_INITIALIZED);
  EXPECT_EQ(before.gotten, CUDA_ERROR_NOT_INITIALIZED);
  EXPECT_EQ(before.with_flags, CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(before.still_not, CUDA_ERROR_NOT_INITIALIZED);
  EXPECT_EQ(before.count, -7);
  EXPECT_EQ(cuInit(0), CUDA_SUCCESS);
  int count = -7;
  EXPECT_EQ(cuDeviceGetCount(&count), CUDA_SUCCESS);
  EXPECT_EQ(count, 1);
}

TEST(driver, versions_and_error_names_work_before_cu_init) {
  EXPECT_EQ(before.versioned, CUDA_SUCCESS);
  EXPECT_EQ(before.version, CUDA_VERSION);
  EXPECT_EQ(before.named, CUDA_SUCCESS);
  EXPECT_STREQ(before.name, "CUDA_ERROR_NOT_INITIALIZED");
}

class driver_device : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
    ASSERT_EQ(cuDeviceGet(&device, 0), CUDA_SUCCESS);
    ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  }
  CUdevice device = -7;
  cudaDeviceProp properties;
};

TEST_F(driver_device, has_the_attributes_that_the_runtime_reports) {
  for (int number = 1; number < CU_DEVICE_ATTRIBUTE_MAX; ++number) {
    int by_driver = -7, by_runtime = -8;
    const CUresult result =
        cuDeviceGetAttribute(&by_driver, static_cast<CUdevice_attribute>(number), device);
    const cudaError_t error =
        cudaDeviceGetAttribute(&by_runtime, static_cast<cudaDeviceAttr>(number), 0);
    EXPECT_EQ(result, CUDA_SUCCESS) << number;
    if (error == cudaSuccess) {
      EXPECT_EQ(by_driver, by_runtime) << number;
    }
  }
  int value = -7;
  EXPECT_EQ(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device), CUDA_SUCCESS);
  EXPECT_EQ(value, 32);
  EXPECT_EQ(
      cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device),
      CUDA_SUCCESS);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAX, device),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(0), device),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(driver_device, has_the_same_name_memory_and_properties_as_the_runtime) {
  char name[256];
  std::memset(name, 'x', sizeof name);
  EXPECT_EQ(cuDeviceGetName(name, sizeof name, device), CUDA_SUCCESS);
  EXPECT_STREQ(name, properties.name);
  EXPECT_EQ(cuDeviceGetName(name, 4, device), CUDA_SUCCESS);
  EXPECT_EQ(name, std::string(properties.name, 3));
  std::size_t bytes = 7;
  EXPECT_EQ(cuDeviceTotalMem(&bytes, device), CUDA_SUCCESS);
  EXPECT_EQ(bytes, properties.totalGlobalMem);
  CUuuid uuid;
  std::memset(&uuid, 'x', sizeof uuid);
  EXPECT_EQ(cuDeviceGetUuid(&uuid, device), CUDA_SUCCESS);
  EXPECT_EQ(std::memcmp(&uuid, &properties.uuid, sizeof uuid), 0);
  int major = -7, minor = -7;
  EXPECT_EQ(cuDeviceComputeCapability(&major, &minor, device), CUDA_SUCCESS);
  EXPECT_EQ(major, properties.major);
  EXPECT_EQ(minor, properties.minor);
  CUdevprop all;
  std::memset(&all, 'x', sizeof all);
  EXPECT_EQ(cuDeviceGetProperties(&all, device), CUDA_SUCCESS);
  EXPECT_EQ(all.maxThreadsPerBlock, properties.maxThreadsPerBlock);
  EXPECT_EQ(all.maxThreadsDim[2], properties.maxThreadsDim[2]);
  EXPECT_EQ(all.maxGridSize[1], properties.maxGridSize[1]);
  EXPECT_EQ(all.SIMDWidth, properties.warpSize);
  EXPECT_EQ(all.clockRate, 1000000);
}

TEST_F(driver_device, is_found_by_its_bus_and_has_no_peer) {
  char by_driver[16] = "x", by_runtime[16] = "y";
  EXPECT_EQ(cuDeviceGetPCIBusId(by_driver, sizeof by_driver, device), CUDA_SUCCESS);
  EXPECT_EQ(cudaDeviceGetPCIBusId(by_runtime, sizeof by_runtime, 0), cudaSuccess);
  EXPECT_STREQ(by_driver, by_runtime);
  CUdevice found = -7;
  EXPECT_EQ(cuDeviceGetByPCIBusId(&found, by_driver), CUDA_SUCCESS);
  EXPECT_EQ(found, device);
  EXPECT_EQ(cuDeviceGetByPCIBusId(&found, "0000:77:00.0"), CUDA_ERROR_INVALID_DEVICE);
  int can_access = -7;
  EXPECT_EQ(cuDeviceCanAccessPeer(&can_access, device, device), CUDA_SUCCESS);
  EXPECT_EQ(can_access, 0);
}

TEST_F(driver_device, refuses_bad_arguments_and_leaves_the_runtimes_last_error_alone) {
  static_cast<void>(cudaGetLastError());
  CUdevice other = -7;
  EXPECT_EQ(cuDeviceGet(&other, 1), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuDeviceGet(&other, -1), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuDeviceGet(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDeviceGetCount(nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDriverGetVersion(nullptr), CUDA_ERROR_INVALID_VALUE);
  char name[8];
  EXPECT_EQ(cuDeviceGetName(name, 0, device), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDeviceGetName(name, sizeof name, 3), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuDeviceGetName(nullptr, 8, device), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDeviceTotalMem(nullptr, device), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDeviceComputeCapability(&other, nullptr, device), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(other, -7);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

TEST(driver_error, has_a_name_and_the_runtimes_text) {
  const char* text = nullptr;
  EXPECT_EQ(cuGetErrorName(CUDA_ERROR_LAUNCH_FAILED, &text), CUDA_SUCCESS);
  EXPECT_STREQ(text, "CUDA_ERROR_LAUNCH_FAILED");
  EXPECT_EQ(cuGetErrorString(CUDA_ERROR_LAUNCH_FAILED, &text), CUDA_SUCCESS);
  EXPECT_STREQ(text, cudaGetErrorString(cudaErrorLaunchFailure));
  EXPECT_EQ(cuGetErrorString(CUDA_ERROR_CONTEXT_ALREADY_CURRENT, &text), CUDA_SUCCESS);
  EXPECT_STRNE(text, "unrecognized error code");
}

TEST(driver_error, is_unknown_for_another_number) {
  const char* text = "poison";
  EXPECT_EQ(cuGetErrorName(static_cast<CUresult>(77), &text), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(text, nullptr);
  text = "poison";
  EXPECT_EQ(cuGetErrorString(static_cast<CUresult>(77), &text), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(text, nullptr);
  EXPECT_EQ(cuGetErrorName(CUDA_SUCCESS, nullptr), CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
