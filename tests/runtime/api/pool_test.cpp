// Memory pools: what they count, keep and refuse.
#include <cstdint>

#include "kernels.hpp"

namespace {

class pools : public device_test {
 protected:
  void SetUp() override {
    device_test::SetUp();
    cudaMemPoolProps how{};
    how.allocType = cudaMemAllocationTypePinned;
    how.location = {cudaMemLocationTypeDevice, 0};
    how.maxSize = 1 << 20;
    ASSERT_EQ(cudaMemPoolCreate(&pool_, &how), cudaSuccess);
  }

  std::uint64_t read(cudaMemPoolAttr attribute) {
    std::uint64_t value = 0;
    EXPECT_EQ(cudaMemPoolGetAttribute(pool_, attribute, &value), cudaSuccess);
    return value;
  }

  void allocate_and_free(std::size_t bytes) {
    void* memory = nullptr;
    ASSERT_EQ(cudaMallocFromPoolAsync(&memory, bytes, pool_, nullptr), cudaSuccess);
    ASSERT_EQ(cudaFreeAsync(memory, nullptr), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }

  cudaMemPool_t pool_ = nullptr;
};

TEST_F(pools, keep_memory_up_to_the_threshold) {
  allocate_and_free(4096);
  EXPECT_EQ(read(cudaMemPoolAttrReservedMemCurrent), 0u);
  std::uint64_t threshold = 6000;
  ASSERT_EQ(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &threshold),
            cudaSuccess);
  allocate_and_free(8192);
  EXPECT_EQ(read(cudaMemPoolAttrReservedMemCurrent), 6000u);
  EXPECT_EQ(read(cudaMemPoolAttrReservedMemHigh), 8192u);
  EXPECT_EQ(read(cudaMemPoolAttrUsedMemHigh), 8192u);
  EXPECT_EQ(read(cudaMemPoolAttrUsedMemCurrent), 0u);
  ASSERT_EQ(cudaMemPoolTrimTo(pool_, 1000), cudaSuccess);
  EXPECT_EQ(read(cudaMemPoolAttrReservedMemCurrent), 1000u);
}

TEST_F(pools, do_not_exceed_their_maximum_size) {
  void* memory = nullptr;
  void* other = nullptr;
  ASSERT_EQ(cudaMallocFromPoolAsync(&memory, 1 << 19, pool_, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMallocFromPoolAsync(&other, (1 << 19) + 1, pool_, nullptr),
            cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMallocFromPoolAsync(&other, 1 << 19, pool_, nullptr), cudaSuccess);
}

TEST_F(pools, are_found_by_location) {
  cudaMemLocation location{cudaMemLocationTypeDevice, 0};
  cudaMemPool_t found = nullptr;
  ASSERT_EQ(cudaMemSetMemPool(&location, cudaMemAllocationTypePinned, pool_), cudaSuccess);
  ASSERT_EQ(cudaMemGetMemPool(&found, &location, cudaMemAllocationTypePinned), cudaSuccess);
  EXPECT_EQ(found, pool_);
  ASSERT_EQ(cudaMemGetDefaultMemPool(&found, &location, cudaMemAllocationTypePinned), cudaSuccess);
  EXPECT_NE(found, pool_);
  EXPECT_EQ(cudaMemGetMemPool(&found, &location, cudaMemAllocationTypeManaged),
            cudaErrorNotSupported);
}

}  // namespace
