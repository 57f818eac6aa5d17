// Memory pools: attributes, limits, trimming, and the pool of a device.
#include "conformance.hpp"

using namespace conformance;

namespace {

cudaMemPoolProps properties(std::size_t most_bytes = 0) {
  cudaMemPoolProps made{};
  made.allocType = cudaMemAllocationTypePinned;
  made.location.type = cudaMemLocationTypeDevice;
  made.location.id = 0;
  made.maxSize = most_bytes;
  return made;
}

unsigned long long read(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  unsigned long long value = 0;
  CHECKED(cudaMemPoolGetAttribute(pool, attribute, &value));
  return value;
}

}  // namespace

CASE(used_memory_is_counted) {
  cudaMemPool_t pool;
  const cudaMemPoolProps how = properties();
  CHECKED(cudaMemPoolCreate(&pool, &how));
  void* memory = nullptr;
  CHECKED(cudaMallocFromPoolAsync(&memory, 4 << 20, pool, nullptr));
  CHECKED(cudaStreamSynchronize(nullptr));
  std::printf("used %llu\n", read(pool, cudaMemPoolAttrUsedMemCurrent));
  std::printf("enough reserved: %d\n",
              read(pool, cudaMemPoolAttrReservedMemCurrent) >= (4ull << 20));
  CHECKED(cudaFreeAsync(memory, nullptr));
  CHECKED(cudaStreamSynchronize(nullptr));
  std::printf("used %llu, most %llu\n", read(pool, cudaMemPoolAttrUsedMemCurrent),
              read(pool, cudaMemPoolAttrUsedMemHigh));
  unsigned long long zero = 0, one = 1;
  CHECKED(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
  std::printf("most %llu\n", read(pool, cudaMemPoolAttrUsedMemHigh));
  SHOW_ERROR(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &one));
  SHOW_ERROR(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &zero));
  cudaGetLastError();
  CHECKED(cudaMemPoolDestroy(pool));
}

CASE(memory_is_kept_up_to_the_threshold_until_it_is_trimmed) {
  cudaMemPool_t pool;
  const cudaMemPoolProps how = properties();
  CHECKED(cudaMemPoolCreate(&pool, &how));
  unsigned long long threshold = ~0ull;
  CHECKED(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  std::printf("threshold %llu\n", read(pool, cudaMemPoolAttrReleaseThreshold));
  void* memory = nullptr;
  CHECKED(cudaMallocFromPoolAsync(&memory, 64 << 20, pool, nullptr));
  CHECKED(cudaFreeAsync(memory, nullptr));
  CHECKED(cudaStreamSynchronize(nullptr));
  std::printf("kept: %d\n", read(pool, cudaMemPoolAttrReservedMemCurrent) >= (64ull << 20));
  CHECKED(cudaMemPoolTrimTo(pool, 0));
  std::printf("reserved %llu\n", read(pool, cudaMemPoolAttrReservedMemCurrent));
  CHECKED(cudaMemPoolDestroy(pool));
}

CASE(a_pool_cannot_outgrow_its_size) {
  cudaMemPool_t pool;
  const cudaMemPoolProps how = properties(64 << 20);
  CHECKED(cudaMemPoolCreate(&pool, &how));
  void* memory = nullptr;
  CHECKED(cudaMallocFromPoolAsync(&memory, 32 << 20, pool, nullptr));
  void* other = nullptr;
  SHOW_ERROR(cudaMallocFromPoolAsync(&other, 256 << 20, pool, nullptr));
  cudaGetLastError();
  CHECKED(cudaFreeAsync(memory, nullptr));
  CHECKED(cudaStreamSynchronize(nullptr));
  CHECKED(cudaMemPoolDestroy(pool));
}

CASE(the_pool_of_a_device) {
  cudaMemPool_t pool, current, standard;
  const cudaMemPoolProps how = properties();
  CHECKED(cudaMemPoolCreate(&pool, &how));
  CHECKED(cudaDeviceGetDefaultMemPool(&standard, 0));
  CHECKED(cudaDeviceSetMemPool(0, pool));
  CHECKED(cudaDeviceGetMemPool(&current, 0));
  std::printf("own pool is current: %d\n", current == pool);
  void* memory = nullptr;
  CHECKED(cudaMallocAsync(&memory, 1 << 20, nullptr));
  CHECKED(cudaStreamSynchronize(nullptr));
  std::printf("used %llu\n", read(pool, cudaMemPoolAttrUsedMemCurrent));
  CHECKED(cudaFreeAsync(memory, nullptr));
  CHECKED(cudaStreamSynchronize(nullptr));
  CHECKED(cudaMemPoolDestroy(pool));
  CHECKED(cudaDeviceGetMemPool(&current, 0));
  std::printf("standard pool is current: %d\n", current == standard);
  SHOW_ERROR(cudaMemPoolDestroy(standard));
  cudaGetLastError();
}
