// Allocating, freeing, and asking what a pointer is.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "kernels.hpp"
#include "support/seed.hpp"

namespace {

class allocation : public device_test {};

TEST_F(allocation, is_aligned_and_distinct) {
  std::vector<char*> blocks;
  for (std::size_t bytes : {1u, 3u, 256u, 1000u, 5000000u}) {
    char* block = nullptr;
    ASSERT_EQ(cudaMalloc(&block, bytes), cudaSuccess);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 256, 0u);
    EXPECT_EQ(std::count(blocks.begin(), blocks.end(), block), 0);
    blocks.push_back(block);
  }
  for (char* block : blocks) EXPECT_EQ(cudaFree(block), cudaSuccess);
}

TEST_F(allocation, starts_with_values_that_are_not_zero) {
  for (std::size_t count : {7u, 1000u, 1u << 20}) {
    float* block = nullptr;
    ASSERT_EQ(cudaMalloc(&block, count * sizeof(float)), cudaSuccess);
    std::vector<float> seen(count);
    ASSERT_EQ(cudaMemcpy(seen.data(), block, count * sizeof(float), cudaMemcpyDeviceToHost),
              cudaSuccess);
    EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](float each) { return each != each; }))
        << count;
    cudaFree(block);
  }
}

TEST_F(allocation, gives_a_null_pointer_for_zero_bytes) {
  void* block = reinterpret_cast<void*>(1);
  EXPECT_EQ(cudaMalloc(&block, 0), cudaSuccess);
  EXPECT_EQ(block, nullptr);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(cudaMalloc(static_cast<void**>(nullptr), 16), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocManaged(&block, 0), cudaErrorInvalidValue);
}

TEST_F(allocation, fails_at_the_count_from_the_environment) {
  setenv("HEDDLE_FAIL_ALLOCATION", "3", 1);
  void *first = nullptr, *second = nullptr, *third = nullptr, *fourth = nullptr;
  EXPECT_EQ(cudaMalloc(&first, 16), cudaSuccess);
  EXPECT_EQ(cudaMallocManaged(&second, 16), cudaSuccess);
  EXPECT_EQ(cudaMallocHost(&third, 16), cudaErrorMemoryAllocation);
  EXPECT_EQ(third, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMallocAsync(&fourth, 16, nullptr), cudaSuccess);
  // A new value restarts the count; a value that is not a number is ignored.
  setenv("HEDDLE_FAIL_ALLOCATION", "1", 1);
  EXPECT_EQ(cudaMallocAsync(&third, 16, nullptr), cudaErrorMemoryAllocation);
  setenv("HEDDLE_FAIL_ALLOCATION", "1st", 1);
  EXPECT_EQ(cudaMalloc(&third, 16), cudaSuccess);
  unsetenv("HEDDLE_FAIL_ALLOCATION");
  for (void* const block : {first, second, third, fourth}) EXPECT_EQ(cudaFree(block), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
}

TEST_F(allocation, fails_beyond_the_memory_and_can_be_tried_again) {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  ASSERT_EQ(cudaMemGetInfo(&free_bytes, &total_bytes), cudaSuccess);
  void* block = nullptr;
  EXPECT_EQ(cudaMalloc(&block, total_bytes + 1), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMalloc(&block, SIZE_MAX), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMalloc(&block, 1024), cudaSuccess);
  EXPECT_EQ(cudaFree(block), cudaSuccess);
}

TEST_F(allocation, is_counted) {
  std::size_t before = 0;
  std::size_t during = 0;
  std::size_t after = 0;
  std::size_t total = 0;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  void* block = nullptr;
  ASSERT_EQ(cudaMalloc(&block, 3 << 20), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&during, &total), cudaSuccess);
  ASSERT_EQ(cudaFree(block), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_EQ(before - during, std::size_t{3} << 20);
  EXPECT_EQ(before, after);
}

TEST_F(allocation, is_freed_once_at_its_start_and_by_its_own_call) {
  char* block = nullptr;
  ASSERT_EQ(cudaMalloc(&block, 100), cudaSuccess);
  EXPECT_EQ(cudaFree(block + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(block), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(block), cudaSuccess);
  EXPECT_EQ(cudaFree(block), cudaErrorInvalidValue);
  int local = 0;
  EXPECT_EQ(cudaFree(&local), cudaErrorInvalidValue);
  char* pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, 100), cudaSuccess);
  EXPECT_EQ(cudaFree(pinned), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

TEST_F(allocation, never_overlaps_another_under_random_use) {
  const auto seed = static_cast<unsigned>(heddle_test::seed());
  SCOPED_TRACE(heddle_test::seed_text());
  std::mt19937 random(seed);
  struct block {
    unsigned char* begin;
    std::size_t bytes;
    unsigned char mark;
  };
  std::vector<block> live;
  const auto check_and_free = [&](const block& each) {
    const bool is_whole = std::all_of(each.begin, each.begin + each.bytes,
                                      [&](unsigned char byte) { return byte == each.mark; });
    EXPECT_TRUE(is_whole);
    EXPECT_EQ(cudaFree(each.begin), cudaSuccess);
  };
  for (int step = 0; step < 2000; ++step) {
    if (live.size() > 50 || (!live.empty() && random() % 3 == 0)) {
      const std::size_t victim = random() % live.size();
      check_and_free(live[victim]);
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(victim));
    } else {
      const std::size_t bytes = 1 + random() % (random() % 20 == 0 ? 2000000 : 3000);
      block fresh{nullptr, bytes, static_cast<unsigned char>(random())};
      ASSERT_EQ(cudaMalloc(&fresh.begin, bytes), cudaSuccess);
      ASSERT_EQ(cudaMemset(fresh.begin, fresh.mark, bytes), cudaSuccess);
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      live.push_back(fresh);
    }
  }
  for (const block& each : live) check_and_free(each);
}

TEST_F(allocation, aligns_pitched_rows_to_512_bytes) {
  char* block = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&block, &pitch, 513, 10), cudaSuccess);
  EXPECT_EQ(pitch, 1024u);
  EXPECT_EQ(cudaMemset2D(block, pitch, 1, 513, 10), cudaSuccess);
  EXPECT_EQ(cudaMemset2D(block, pitch, 1, 513, 11), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(block), cudaSuccess);
  cudaPitchedPtr cube;
  ASSERT_EQ(cudaMalloc3D(&cube, make_cudaExtent(100, 5, 3)), cudaSuccess);
  EXPECT_EQ(cube.pitch, 512u);
  EXPECT_EQ(cube.ysize, 5u);
  EXPECT_EQ(cudaFree(cube.ptr), cudaSuccess);
}

TEST_F(allocation, classifies_pointers) {
  const auto type_of = [](const void* pointer) {
    cudaPointerAttributes attributes;
    EXPECT_EQ(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
    return attributes.type;
  };
  char* device = nullptr;
  char* managed = nullptr;
  char* pinned = nullptr;
  std::vector<char> own(100);
  ASSERT_EQ(cudaMalloc(&device, 100), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 100), cudaSuccess);
  ASSERT_EQ(cudaHostAlloc(&pinned, 100, cudaHostAllocMapped), cudaSuccess);
  EXPECT_EQ(type_of(device + 99), cudaMemoryTypeDevice);
  EXPECT_EQ(type_of(managed), cudaMemoryTypeManaged);
  EXPECT_EQ(type_of(pinned + 50), cudaMemoryTypeHost);
  EXPECT_EQ(type_of(own.data()), cudaMemoryTypeUnregistered);
  ASSERT_EQ(cudaHostRegister(own.data(), own.size(), cudaHostRegisterDefault), cudaSuccess);
  EXPECT_EQ(type_of(own.data()), cudaMemoryTypeHost);
  EXPECT_EQ(cudaHostRegister(own.data() + 10, 5, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaHostUnregister(own.data()), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(own.data()), cudaErrorHostMemoryNotRegistered);
  EXPECT_EQ(type_of(own.data()), cudaMemoryTypeUnregistered);
}

TEST_F(allocation, has_the_same_address_on_host_and_device_if_pinned) {
  int* pinned = nullptr;
  int* seen = nullptr;
  ASSERT_EQ(cudaHostAlloc(&pinned, sizeof(int), cudaHostAllocMapped), cudaSuccess);
  ASSERT_EQ(cudaHostGetDevicePointer(&seen, pinned, 0), cudaSuccess);
  EXPECT_EQ(seen, pinned);
  *pinned = 1;
  launch_on(nullptr, 1, 1, add_to_all, seen, 5);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(*pinned, 6);
}

TEST_F(allocation, is_freed_in_stream_order) {
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  gate closed;
  closed.hold(stream);
  int* block = nullptr;
  ASSERT_EQ(cudaMallocAsync(&block, 4096, stream), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(block, 0, 4096, stream), cudaSuccess);
  launch_on(stream, 4, 256, add_to_all, block, 9);
  int* pinned = nullptr;
  ASSERT_EQ(cudaHostAlloc(&pinned, 4096, 0), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(pinned, block, 4096, cudaMemcpyDeviceToHost, stream), cudaSuccess);
  ASSERT_EQ(cudaFreeAsync(block, stream), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(block, stream), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(block), cudaErrorInvalidValue);
  closed.open();
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(pinned[0], 9);
  EXPECT_EQ(pinned[1023], 9);
  EXPECT_EQ(cudaFreeAsync(block, stream), cudaErrorInvalidValue);
}

TEST_F(allocation, is_counted_in_its_pool) {
  cudaMemPool_t pool;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
  std::uint64_t threshold = UINT64_MAX;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold),
            cudaSuccess);
  void* block = nullptr;
  ASSERT_EQ(cudaMallocAsync(&block, 1000, nullptr), cudaSuccess);
  std::uint64_t used = 0;
  ASSERT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used), cudaSuccess);
  EXPECT_EQ(used, 1000u);
  ASSERT_EQ(cudaFreeAsync(block, nullptr), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  ASSERT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used), cudaSuccess);
  EXPECT_EQ(used, 0u);
  EXPECT_EQ(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
}

TEST_F(allocation, accepts_advice_only_for_managed_memory) {
  char* managed = nullptr;
  char* device = nullptr;
  ASSERT_EQ(cudaMallocManaged(&managed, 100), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&device, 100), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 100, 0), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 100, cudaCpuDeviceId), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(device, 100, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemAdvise(managed, 100, cudaMemAdviseSetReadMostly, 0), cudaSuccess);
  EXPECT_EQ(cudaMemAdvise(managed, 101, cudaMemAdviseSetReadMostly, 0), cudaErrorInvalidValue);
}

}  // namespace
