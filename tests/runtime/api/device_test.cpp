// Properties, attributes and limits of the device.
#include "kernels.hpp"

namespace {

class device : public device_test {};

TEST_F(device, has_compute_capability_9) {
  int count = 0;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 1);
  cudaDeviceProp properties;
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_STREQ(properties.name, "heddle CPU machine");
  EXPECT_EQ(properties.major, 9);
  EXPECT_EQ(properties.minor, 0);
  EXPECT_EQ(properties.warpSize, 32);
  EXPECT_EQ(properties.maxThreadsPerBlock, 1024);
  EXPECT_GT(properties.totalGlobalMem, std::size_t{1} << 20);
  EXPECT_EQ(cudaGetDeviceProperties(&properties, 1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetDeviceProperties(nullptr, 0), cudaErrorInvalidValue);
}

TEST_F(device, gives_the_same_answers_as_properties_and_as_attributes) {
  cudaDeviceProp properties;
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  const auto attribute = [](cudaDeviceAttr which) {
    int value = -1;
    EXPECT_EQ(cudaDeviceGetAttribute(&value, which, 0), cudaSuccess);
    return value;
  };
  EXPECT_EQ(attribute(cudaDevAttrMultiProcessorCount), properties.multiProcessorCount);
  EXPECT_EQ(attribute(cudaDevAttrMaxSharedMemoryPerBlock), 48 * 1024);
  EXPECT_EQ(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin), 232448);
  EXPECT_EQ(attribute(cudaDevAttrMaxGridDimY), properties.maxGridSize[1]);
  EXPECT_EQ(attribute(cudaDevAttrCooperativeLaunch), 1);
  EXPECT_EQ(attribute(cudaDevAttrMaxBlocksPerMultiprocessor),
            properties.maxBlocksPerMultiProcessor);
  EXPECT_EQ(attribute(cudaDevAttrIntegrated), 0);
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(200), 0),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 5), cudaErrorInvalidDevice);
}

TEST_F(device, keeps_the_limits_that_are_set) {
  std::size_t value = 0;
  ASSERT_EQ(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 123456), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize), cudaSuccess);
  EXPECT_EQ(value, 123456u);
  std::size_t stack = 0;
  ASSERT_EQ(cudaDeviceGetLimit(&stack, cudaLimitStackSize), cudaSuccess);
  ASSERT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, 2 * stack), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetLimit(&value, cudaLimitStackSize), cudaSuccess);
  EXPECT_GE(value, 2 * stack);
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, std::size_t{1} << 40), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceSetLimit(static_cast<cudaLimit>(7), 1), cudaErrorInvalidValue);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetLimit(&value, cudaLimitStackSize), cudaSuccess);
  EXPECT_EQ(value, stack);
}

TEST_F(device, reports_cuda_13_versions) {
  int version = 0;
  ASSERT_EQ(cudaRuntimeGetVersion(&version), cudaSuccess);
  EXPECT_EQ(version, CUDART_VERSION);
  ASSERT_EQ(cudaDriverGetVersion(&version), cudaSuccess);
  EXPECT_GE(version, CUDART_VERSION);
}

TEST_F(device, is_not_its_own_peer) {
  int can_access = 1;
  ASSERT_EQ(cudaDeviceCanAccessPeer(&can_access, 0, 0), cudaSuccess);
  EXPECT_EQ(can_access, 0);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);
}

}  // namespace
