// Attributes and occupancy of kernels.
#include <memory>

#include "kernels.hpp"

namespace {

template <typename T>
void templated(T* data) {
  heddle_host::enter_kernel(__PRETTY_FUNCTION__, {}, [=]() mutable -> void { *data = T(1); });
}

struct without_default {
  explicit without_default(int value) : value(value) {}
  int value;
};

void takes_a_class(without_default argument, int* data) {
  heddle_host::enter_kernel(__PRETTY_FUNCTION__, {},
                            [=]() mutable -> void { *data = argument.value; });
}

class function : public device_test {};

TEST_F(function, differs_from_other_instances_of_its_template) {
  const auto* const of_int = heddle_host::inspect(templated<int>);
  const auto* const of_float = heddle_host::inspect(templated<float>);
  ASSERT_NE(of_int, nullptr);
  EXPECT_NE(of_int, of_float);
  EXPECT_EQ(of_int, heddle_host::inspect(templated<int>));
  EXPECT_NE(std::string(of_float->signature).find("float"), std::string::npos);
}

TEST_F(function, does_not_run_when_it_is_queried) {
  cudaFuncAttributes attributes;
  // If the kernel ran, it would write through a null pointer.
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, templated<int>), cudaSuccess);
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, takes_a_class), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(function, attributes_follow_bounds_and_settings) {
  cudaFuncAttributes attributes;
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, at_most_128_threads), cudaSuccess);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 128);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 48 * 1024);
  EXPECT_EQ(attributes.binaryVersion, 90);
  ASSERT_EQ(
      cudaFuncSetAttribute(templated<long>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536),
      cudaSuccess);
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, templated<long>), cudaSuccess);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 65536);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
}

TEST_F(function, is_invalid_if_null) {
  cudaFuncAttributes attributes;
  void (*none)() = nullptr;
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, none), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(cudaLaunchKernel(none, dim3(1), dim3(1), nullptr), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDeviceFunction);
}

TEST_F(function, cannot_be_launched_without_its_arguments) {
  EXPECT_EQ(cudaLaunchKernel(add_to_all, dim3(1), dim3(1), nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaLaunchKernel(do_nothing, dim3(1), dim3(1), nullptr), cudaSuccess);
}

TEST_F(function, is_found_by_its_address_only_if_it_is_registered) {
  const void* const address = reinterpret_cast<const void*>(takes_a_class);
  cudaFuncAttributes attributes;
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, address), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  heddle_host::make_known(takes_a_class);
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, address), cudaSuccess);
  without_default argument(17);
  int* data = nullptr;
  ASSERT_EQ(cudaMallocManaged(&data, sizeof *data), cudaSuccess);
  void* arguments[] = {&argument, &data};
  EXPECT_EQ(cudaLaunchKernel(address, dim3(1), dim3(1), arguments), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(*data, 17);
}

TEST_F(function, occupancy_is_limited_by_blocks_threads_and_shared_memory) {
  const auto occupancy = [](int threads, std::size_t shared) {
    int blocks = -1;
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, do_nothing, threads, shared),
              cudaSuccess);
    return blocks;
  };
  ASSERT_EQ(cudaFuncSetAttribute(do_nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448),
            cudaSuccess);
  EXPECT_EQ(occupancy(32, 0), 4);
  EXPECT_EQ(occupancy(512, 0), 4);
  EXPECT_EQ(occupancy(513, 0), 3);
  EXPECT_EQ(occupancy(1024, 0), 2);
  EXPECT_EQ(occupancy(2048, 0), 0);
  EXPECT_EQ(occupancy(32, 232448), 1);
  EXPECT_EQ(occupancy(32, 100 * 1024), 2);
  EXPECT_EQ(occupancy(32, 232449), 0);
  int blocks = 0;
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, do_nothing, 0, 0),
            cudaErrorInvalidValue);
  ASSERT_EQ(cudaFuncSetAttribute(do_nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 49152),
            cudaSuccess);
}

TEST_F(function, potential_block_size_fills_the_device) {
  int grid = 0;
  int block = 0;
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, do_nothing), cudaSuccess);
  EXPECT_EQ(block, 1024);
  EXPECT_EQ(grid, 2 * heddle_host::multiprocessors());
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, do_nothing, 0, 100), cudaSuccess);
  EXPECT_EQ(block, 100);
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, at_most_128_threads), cudaSuccess);
  EXPECT_EQ(block, 128);
  // With 400 bytes for each thread, 120 threads of a block fit in 48 KiB, so three whole warps do.
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSizeVariableSMem(
                &grid, &block, do_nothing, [](int threads) { return std::size_t(threads) * 400; }),
            cudaSuccess);
  EXPECT_EQ(block, 96);
}

TEST_F(function, available_shared_memory_lets_the_blocks_fit) {
  std::size_t bytes = 0;
  ASSERT_EQ(cudaFuncSetAttribute(do_nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448),
            cudaSuccess);
  for (int blocks = 1; blocks <= 4; ++blocks) {
    ASSERT_EQ(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, do_nothing, blocks, 64),
              cudaSuccess);
    int fitting = 0;
    ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fitting, do_nothing, 64, bytes),
              cudaSuccess);
    EXPECT_EQ(fitting, blocks) << bytes;
  }
  ASSERT_EQ(cudaFuncSetAttribute(do_nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 49152),
            cudaSuccess);
}

}  // namespace
