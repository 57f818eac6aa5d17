// Launches: shapes that are possible, shapes that are not, and the calls that launch.
#include <vector>

#include "kernels.hpp"

namespace {

class launch : public device_test {
 protected:
  // CUDA's answer to do_nothing<<<grid, block, shared>>>().
  static cudaError_t result_of(dim3 grid, dim3 block, std::size_t shared = 0) {
    heddle_host::push_configuration(grid, block, shared) ? (void)0 : do_nothing();
    return cudaGetLastError();
  }
};

TEST_F(launch, runs_every_thread_of_the_grid) {
  int* data = nullptr;
  ASSERT_EQ(cudaMalloc(&data, 4 * 96 * sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaMemset(data, 0, 4 * 96 * sizeof(int)), cudaSuccess);
  launch_on(nullptr, 4, 96, add_to_all, data, 3);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  std::vector<int> back(4 * 96);
  ASSERT_EQ(cudaMemcpy(back.data(), data, back.size() * sizeof(int), cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(back, std::vector<int>(4 * 96, 3));
}

TEST_F(launch, refuses_an_impossible_shape) {
  EXPECT_EQ(result_of(1, 1024), cudaSuccess);
  EXPECT_EQ(result_of(1, dim3(16, 1, 64)), cudaSuccess);
  EXPECT_EQ(result_of(0, 32), cudaErrorInvalidValue);
  EXPECT_EQ(result_of(1, 0), cudaErrorInvalidValue);
  EXPECT_EQ(result_of(1, dim3(32, 0, 1)), cudaErrorInvalidValue);
  EXPECT_EQ(result_of(1, 1025), cudaErrorInvalidValue);
  EXPECT_EQ(result_of(1, dim3(32, 33)), cudaErrorInvalidValue);
  EXPECT_EQ(result_of(1, dim3(1, 1, 65)), cudaErrorInvalidValue);
  EXPECT_EQ(result_of(dim3(1, 65536), 1), cudaErrorInvalidValue);
  EXPECT_EQ(result_of(dim3(1, 1, 65536), 1), cudaErrorInvalidValue);
  EXPECT_EQ(result_of(0x80000000u, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(launch, refuses_too_much_shared_memory) {
  EXPECT_EQ(result_of(1, 1, 48 * 1024), cudaSuccess);
  EXPECT_EQ(result_of(1, 1, 48 * 1024 + 1), cudaErrorInvalidValue);
  ASSERT_EQ(cudaFuncSetAttribute(do_nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000),
            cudaSuccess);
  EXPECT_EQ(result_of(1, 1, 100000), cudaSuccess);
  EXPECT_EQ(result_of(1, 1, 100001), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(do_nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449),
            cudaErrorInvalidValue);
  ASSERT_EQ(cudaFuncSetAttribute(do_nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 49152),
            cudaSuccess);
}

TEST_F(launch, refuses_a_block_beyond_the_launch_bounds) {
  launch_on(nullptr, 1, 128, at_most_128_threads);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  launch_on(nullptr, 1, 129, at_most_128_threads);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(launch, refuses_a_missing_shape) {
  testing::internal::CaptureStderr();
  do_nothing();
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("do_nothing"), std::string::npos) << said;
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
}

TEST_F(launch, keeps_both_shapes_if_nested_in_the_arguments_of_another) {
  int* data = nullptr;
  ASSERT_EQ(cudaMallocManaged(&data, 8 * sizeof(int)), cudaSuccess);
  std::fill_n(data, 8, 0);
  const auto inner = [&] {
    launch_on(nullptr, 1, 2, add_to_all, data, 10);
    return 1;
  };
  heddle_host::push_configuration(2, 4) ? (void)0 : add_to_all(data, inner());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(std::vector<int>(data, data + 8), (std::vector<int>{11, 11, 1, 1, 1, 1, 1, 1}));
}

TEST_F(launch, refuses_a_destroyed_stream) {
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  launch_on(stream, 1, 1, do_nothing);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
}

TEST_F(launch, takes_arguments_by_address_in_cuda_launch_kernel) {
  int* data = nullptr;
  ASSERT_EQ(cudaMallocManaged(&data, 2 * sizeof(int)), cudaSuccess);
  data[0] = data[1] = 0;
  int value = 4;
  void* arguments[] = {&data, &value};
  ASSERT_EQ(cudaLaunchKernel(add_to_all, dim3(1), dim3(2), arguments, 0, nullptr), cudaSuccess);
  value = 100;  // the launch has its own copy
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(data[1], 4);
  EXPECT_EQ(cudaLaunchKernel(add_to_all, dim3(0), dim3(2), arguments, 0, nullptr),
            cudaErrorInvalidValue);
}

TEST_F(launch, converts_arguments_in_cuda_launch_kernel_ex) {
  int* data = nullptr;
  ASSERT_EQ(cudaMallocManaged(&data, sizeof(int)), cudaSuccess);
  *data = 0;
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributeCooperative;
  attributes[0].val.cooperative = 1;
  attributes[1].id = cudaLaunchAttributePriority;
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 1;
  config.attrs = attributes;
  config.numAttrs = 2;
  ASSERT_EQ(cudaLaunchKernelEx(&config, add_to_all, data, short{7}), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(*data, 7);
}

TEST_F(launch, needs_a_grid_of_whole_clusters) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {2, 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = 4;
  config.blockDim = 32;
  config.attrs = &attribute;
  config.numAttrs = 1;
  EXPECT_EQ(cudaLaunchKernelEx(&config, do_nothing), cudaSuccess);
  config.gridDim = 3;
  EXPECT_EQ(cudaLaunchKernelEx(&config, do_nothing), cudaErrorInvalidClusterSize);
  config.gridDim = 16;
  attribute.val.clusterDim = {16, 1, 1};
  EXPECT_EQ(cudaLaunchKernelEx(&config, do_nothing), cudaErrorInvalidClusterSize);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(launch, refuses_a_cooperative_grid_that_does_not_fit) {
  int per_multiprocessor = 0;
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, do_nothing, 64, 0),
            cudaSuccess);
  cudaDeviceProp properties;
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  const unsigned most = static_cast<unsigned>(per_multiprocessor * properties.multiProcessorCount);
  EXPECT_EQ(cudaLaunchCooperativeKernel(do_nothing, dim3(most), dim3(64), nullptr), cudaSuccess);
  EXPECT_EQ(cudaLaunchCooperativeKernel(do_nothing, dim3(most + 1), dim3(64), nullptr),
            cudaErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

}  // namespace
