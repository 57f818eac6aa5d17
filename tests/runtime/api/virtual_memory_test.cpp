// Memory that the program maps itself, and memory of other processes.
#include <unistd.h>

#include <string>

#include "driver_calls.hpp"

namespace {

constexpr std::size_t step = std::size_t{2} << 20;

class virtual_memory : public driver_calls {
 protected:
  void SetUp() override {
    driver_calls::SetUp();
    wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    wanted.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    both.location = wanted.location;
    both.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    ASSERT_EQ(cuMemAddressReserve(&where, 4 * step, 0, 0, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuMemCreate(&memory, step, &wanted, 0), CUDA_SUCCESS);
  }

  void map(CUdeviceptr at, CUmemGenericAllocationHandle what) const {
    ASSERT_EQ(cuMemMap(at, step, 0, what, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuMemSetAccess(at, step, &both, 1), CUDA_SUCCESS);
  }

  CUmemAllocationProp wanted{};
  CUmemAccessDesc both{};
  CUdeviceptr where = 0;
  CUmemGenericAllocationHandle memory = 0;
};

TEST_F(virtual_memory, is_used_where_it_is_mapped) {
  map(where + step, memory);
  ASSERT_EQ(cuMemsetD32(where + step, 3, 4), CUDA_SUCCESS);
  launch_on(nullptr, 1, 4, add_to_all, ints_at(where + step), 5);
  EXPECT_EQ(values_at(where + step, 4), std::vector({8, 8, 8, 8}));
  EXPECT_EQ(cuMemFree(where + step), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemUnmap(where + step, step), CUDA_SUCCESS);
  EXPECT_EQ(cuMemRelease(memory), CUDA_SUCCESS);
  EXPECT_EQ(cuMemAddressFree(where, 4 * step), CUDA_SUCCESS);
}

TEST_F(virtual_memory, is_the_same_at_several_addresses) {
  map(where, memory);
  map(where + 2 * step, memory);
  ASSERT_EQ(cuMemsetD32(where, 3, 4), CUDA_SUCCESS);
  EXPECT_EQ(values_at(where + 2 * step, 4), std::vector({3, 3, 3, 3}));
  EXPECT_EQ(cuMemRelease(memory), CUDA_SUCCESS);
  EXPECT_EQ(cuMemUnmap(where, step), CUDA_SUCCESS);
  EXPECT_EQ(values_at(where + 2 * step, 1), std::vector({3}));
  int value = 0;
  EXPECT_EQ(cuMemcpyDtoH(&value, where, 4), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(virtual_memory, forms_one_range_with_its_neighbours) {
  CUmemGenericAllocationHandle second = 0;
  ASSERT_EQ(cuMemCreate(&second, step, &wanted, 0), CUDA_SUCCESS);
  map(where, memory);
  map(where + step, second);
  ASSERT_EQ(cuMemsetD32(where + step - 8, 7, 4), CUDA_SUCCESS);
  EXPECT_EQ(values_at(where + step - 8, 4), std::vector({7, 7, 7, 7}));
  int value = 0;
  EXPECT_EQ(cuMemcpyDtoH(&value, where + 2 * step - 2, 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemUnmap(where, 2 * step), CUDA_SUCCESS);
}

TEST_F(virtual_memory, faults_without_access) {
  ASSERT_EQ(cuMemMap(where, step, 0, memory, 0), CUDA_SUCCESS);
  int value = 0;
  EXPECT_EQ(cuMemcpyDtoH(&value, where, 4), CUDA_ERROR_INVALID_VALUE);
  launch_on(nullptr, 1, 4, add_to_all, ints_at(where), 5);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(virtual_memory, is_shared_through_a_file_descriptor) {
  int file = -1;
  ASSERT_EQ(
      cuMemExportToShareableHandle(&file, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
      CUDA_SUCCESS);
  CUmemGenericAllocationHandle imported = 0;
  ASSERT_EQ(cuMemImportFromShareableHandle(&imported, reinterpret_cast<void*>(std::intptr_t{file}),
                                           CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
            CUDA_SUCCESS);
  close(file);
  map(where, memory);
  map(where + step, imported);
  ASSERT_EQ(cuMemsetD32(where, 11, 4), CUDA_SUCCESS);
  EXPECT_EQ(values_at(where + step, 2), std::vector({11, 11}));
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  EXPECT_EQ(
      cuMemImportFromShareableHandle(&imported, reinterpret_cast<void*>(std::intptr_t{*pipe_ends}),
                                     CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
      CUDA_ERROR_INVALID_VALUE);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

TEST_F(virtual_memory, counts_as_device_memory) {
  std::size_t before = 0, after = 0, total = 0;
  ASSERT_EQ(cuMemGetInfo(&before, &total), CUDA_SUCCESS);
  EXPECT_EQ(cuMemRelease(memory), CUDA_SUCCESS);
  ASSERT_EQ(cuMemGetInfo(&after, &total), CUDA_SUCCESS);
  EXPECT_EQ(after - before, step);
  EXPECT_EQ(cuMemCreate(&memory, (total / step + 1) * step, &wanted, 0), CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_F(virtual_memory, refuses_parts_and_overlaps) {
  EXPECT_EQ(cuMemMap(where, 2 * step, 0, memory, 0), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(cuMemUnmap(where, step), CUDA_SUCCESS);
  EXPECT_EQ(cuMemMap(where + 4 * step, step, 0, memory, 0), CUDA_ERROR_INVALID_VALUE);
  map(where, memory);
  EXPECT_EQ(cuMemMap(where, step, 0, memory, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemUnmap(where, step / 2), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemSetAccess(where, 2 * step, &both, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAddressFree(where, 4 * step), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemUnmap(where, step), CUDA_SUCCESS);
  EXPECT_EQ(cuMemAddressFree(where, step), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemRelease(memory), CUDA_SUCCESS);
  EXPECT_EQ(cuMemRelease(memory), CUDA_ERROR_INVALID_VALUE);
}

class interprocess : public driver_calls {};

// `conformance.virtual_memory` shares memory between two processes.
TEST_F(interprocess, sharing_keeps_what_the_memory_and_its_neighbours_hold) {
  const CUdeviceptr first = memory_of({1, 2, 3}), second = memory_of({4, 5, 6});
  cudaIpcMemHandle_t handle, same;
  ASSERT_EQ(cudaIpcGetMemHandle(&handle, ints_at(second)), cudaSuccess);
  ASSERT_EQ(cudaIpcGetMemHandle(&same, ints_at(second) + 1), cudaSuccess);
  EXPECT_EQ(std::string(handle.reserved, 64), std::string(same.reserved, 64));
  launch_on(nullptr, 1, 3, add_to_all, ints_at(first), 10);
  launch_on(nullptr, 1, 3, add_to_all, ints_at(second), 20);
  EXPECT_EQ(values_at(first, 3), std::vector({11, 12, 13}));
  EXPECT_EQ(values_at(second, 3), std::vector({24, 25, 26}));
  void* opened = nullptr;
  EXPECT_EQ(cudaIpcOpenMemHandle(&opened, handle, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaIpcOpenMemHandle(&opened, handle, cudaIpcMemLazyEnablePeerAccess),
            cudaErrorDeviceUninitialized);
  EXPECT_EQ(cudaIpcCloseMemHandle(ints_at(first)), cudaErrorInvalidValue);
}

TEST_F(interprocess, sharing_is_for_device_memory) {
  cudaIpcMemHandle_t handle;
  void* pinned = nullptr;
  int on_stack = 0;
  ASSERT_EQ(cudaMallocHost(&pinned, 64), cudaSuccess);
  EXPECT_EQ(cudaIpcGetMemHandle(&handle, pinned), cudaErrorInvalidValue);
  EXPECT_EQ(cudaIpcGetMemHandle(&handle, &on_stack), cudaErrorInvalidValue);
}

}  // namespace
