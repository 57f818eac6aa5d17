// The driver's calls that allocate, copy, fill and describe memory.
#include <algorithm>
#include <cstring>

#include "driver_calls.hpp"

namespace {

class driver_memory : public driver_calls {};

TEST_F(driver_memory, cannot_be_empty) {
  CUdeviceptr memory = 7;
  void* pinned = nullptr;
  EXPECT_EQ(cuMemAlloc(&memory, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAllocManaged(&memory, 0, CU_MEM_ATTACH_GLOBAL), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAllocHost(&pinned, 0), CUDA_SUCCESS);
  EXPECT_EQ(pinned, nullptr);
  EXPECT_EQ(cuMemAllocAsync(&memory, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAlloc(nullptr, 64), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(memory, 0U);
}

TEST_F(driver_memory, is_used_up_by_allocations) {
  std::size_t before = 0, after = 0, total = 0;
  ASSERT_EQ(cuMemGetInfo(&before, &total), CUDA_SUCCESS);
  CUdeviceptr memory = 0;
  ASSERT_EQ(cuMemAlloc(&memory, 1 << 20), CUDA_SUCCESS);
  ASSERT_EQ(cuMemGetInfo(&after, &total), CUDA_SUCCESS);
  EXPECT_EQ(before - after, std::size_t{1} << 20);
  EXPECT_EQ(cuMemAlloc(&memory, total), CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_F(driver_memory, is_filled_with_elements_of_each_size) {
  const CUdeviceptr memory = memory_of(std::vector<int>(8, 0));
  EXPECT_EQ(cuMemsetD8(memory, 0x12, 3), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD16(memory + 4, 0x3456, 2), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD32Async(memory + 8, 0x789abcde, 2, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(values_at(memory, 5), std::vector({0x121212, 0x34563456, 0x789abcde, 0x789abcde, 0}));
  EXPECT_EQ(cuMemsetD16(memory + 1, 0, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemsetD32(memory + 2, 0, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemsetD32(memory, 0, 9), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(driver_memory, is_filled_by_rows) {
  const CUdeviceptr memory = memory_of(std::vector<int>(8, 0));
  EXPECT_EQ(cuMemsetD2D32(memory, 16, 5, 2, 2), CUDA_SUCCESS);
  EXPECT_EQ(values_at(memory, 8), std::vector({5, 5, 0, 0, 5, 5, 0, 0}));
  EXPECT_EQ(cuMemsetD2D32(memory, 4, 5, 2, 2), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(driver_memory, is_copied_as_a_box) {
  // A volume of 4 x 3 x 2 on the host; a part of it goes to the device and back.
  std::vector<int> from(24), to(24, -1);
  for (int i = 0; i < 24; ++i) from[static_cast<std::size_t>(i)] = i;
  CUdeviceptr memory = memory_of(std::vector<int>(24, 0));
  CUDA_MEMCPY3D what{};
  what.srcMemoryType = CU_MEMORYTYPE_HOST;
  what.srcHost = from.data();
  what.srcPitch = 16;
  what.srcHeight = 3;
  what.srcXInBytes = 4;
  what.srcY = 1;
  what.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  what.dstDevice = memory;
  what.dstPitch = 16;
  what.dstHeight = 3;
  what.WidthInBytes = 8;
  what.Height = 2;
  what.Depth = 2;
  ASSERT_EQ(cuMemcpy3D(&what), CUDA_SUCCESS);
  std::vector<int> expected(24, 0);
  for (std::size_t z = 0; z < 2; ++z) {
    for (std::size_t y = 0; y < 2; ++y) {
      for (std::size_t x = 0; x < 2; ++x) {
        expected[12 * z + 4 * y + x] = from[12 * z + 4 * (y + 1) + x + 1];
      }
    }
  }
  EXPECT_EQ(values_at(memory, 24), expected);
  what.srcPitch = 4;
  EXPECT_EQ(cuMemcpy3D(&what), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemcpy3D(nullptr), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(driver_memory, is_copied_to_and_from_arrays) {
  cudaArray_t array = nullptr;
  const auto format = cudaCreateChannelDesc<int>();
  ASSERT_EQ(cudaMallocArray(&array, &format, 4, 2), cudaSuccess);
  const std::vector<int> from = {1, 2, 3, 4, 5, 6, 7, 8};
  CUDA_MEMCPY2D in{};
  in.srcMemoryType = CU_MEMORYTYPE_HOST;
  in.srcHost = from.data();
  in.srcPitch = 16;
  in.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  in.dstArray = reinterpret_cast<CUarray>(array);
  in.WidthInBytes = 16;
  in.Height = 2;
  ASSERT_EQ(cuMemcpy2D(&in), CUDA_SUCCESS);
  std::vector<int> row(2, -1);
  CUDA_MEMCPY2D out{};
  out.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  out.srcArray = reinterpret_cast<CUarray>(array);
  out.srcXInBytes = 8;
  out.srcY = 1;
  out.dstMemoryType = CU_MEMORYTYPE_HOST;
  out.dstHost = row.data();
  out.WidthInBytes = 8;
  out.Height = 1;
  ASSERT_EQ(cuMemcpy2D(&out), CUDA_SUCCESS);
  EXPECT_EQ(row, std::vector({7, 8}));
  out.srcY = 2;
  EXPECT_EQ(cuMemcpy2D(&out), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
}

TEST_F(driver_memory, is_described_by_attributes) {
  const CUdeviceptr memory = memory_of({1, 2, 3, 4});
  unsigned type = 0;
  CUdeviceptr begin = 0;
  std::size_t bytes = 0;
  EXPECT_EQ(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory + 4),
            CUDA_SUCCESS);
  EXPECT_EQ(type, static_cast<unsigned>(CU_MEMORYTYPE_DEVICE));
  EXPECT_EQ(cuMemGetAddressRange(&begin, &bytes, memory + 4), CUDA_SUCCESS);
  EXPECT_EQ(begin, memory);
  EXPECT_EQ(bytes, 16U);
  EXPECT_EQ(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory + 16),
            CUDA_ERROR_INVALID_VALUE);
  unsigned long long number = 0, other_number = 0;
  const CUdeviceptr other = memory_of({5});
  EXPECT_EQ(cuPointerGetAttribute(&number, CU_POINTER_ATTRIBUTE_BUFFER_ID, memory), CUDA_SUCCESS);
  EXPECT_EQ(cuPointerGetAttribute(&other_number, CU_POINTER_ATTRIBUTE_BUFFER_ID, other),
            CUDA_SUCCESS);
  EXPECT_NE(number, other_number);
}

TEST_F(driver_memory, that_cuda_does_not_know_has_empty_attributes) {
  int on_stack = 0;
  unsigned type = 7;
  CUcontext owner = primary;
  CUpointer_attribute wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_CONTEXT};
  void* to[] = {&type, &owner};
  EXPECT_EQ(cuPointerGetAttributes(2, wanted, to, reinterpret_cast<CUdeviceptr>(&on_stack)),
            CUDA_SUCCESS);
  EXPECT_EQ(type, 0U);
  EXPECT_EQ(owner, nullptr);
}

TEST_F(driver_memory, of_pools_is_ordered_by_streams) {
  CUmemoryPool pool = nullptr;
  CUmemPoolProps wanted{};
  wanted.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  ASSERT_EQ(cuMemPoolCreate(&pool, &wanted), CUDA_SUCCESS);
  CUdeviceptr memory = 0;
  ASSERT_EQ(cuMemAllocFromPoolAsync(&memory, 64, pool, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD32Async(memory, 9, 4, nullptr), CUDA_SUCCESS);
  cuuint64_t used = 0;
  EXPECT_EQ(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used), CUDA_SUCCESS);
  EXPECT_EQ(used, 64U);
  EXPECT_EQ(values_at(memory, 2), std::vector({9, 9}));
  EXPECT_EQ(cuMemFreeAsync(memory, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(cuMemPoolDestroy(pool), CUDA_SUCCESS);
}

}  // namespace
