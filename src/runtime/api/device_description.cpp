// The device's properties and attributes.
#include "api/device_description.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>

#include <heddle_host/function.hpp>
#include <heddle_host/options.hpp>

#include "api/device_facts.hpp"
#include "memory/heap.hpp"

namespace heddle_host {

int multiprocessors() { return static_cast<int>(worker_count()); }

namespace api {
namespace {

constexpr std::size_t l2_bytes = std::size_t{50} << 20;

struct attribute_value {
  template <typename Number>
  attribute_value(cudaDeviceAttr attribute, Number number)
      : attribute(attribute), value(static_cast<int>(number)) {}

  cudaDeviceAttr attribute;
  int value;
};

void describe_memory(cudaDeviceProp& device) {
  device.totalGlobalMem = memory::device_bytes();
  device.totalConstMem = constant_bytes;
  device.memPitch = max_grid_x;
  device.textureAlignment = pitch_alignment;
  device.texturePitchAlignment = warp_size;
  device.surfaceAlignment = pitch_alignment;
  device.memoryBusWidth = 64;
  device.l2CacheSize = static_cast<int>(l2_bytes);
  device.canMapHostMemory = 1;
  device.unifiedAddressing = 1;
  device.managedMemory = 1;
  device.concurrentManagedAccess = 1;
  device.canUseHostPointerForRegisteredMem = 1;
  device.hostRegisterSupported = 1;
  device.hostNativeAtomicSupported = 1;
  device.memoryPoolsSupported = 1;
  device.globalL1CacheSupported = 1;
  device.localL1CacheSupported = 1;
  device.sharedMemPerBlock = shared_per_block;
  device.sharedMemPerBlockOptin = shared_per_block_optin;
  device.sharedMemPerMultiprocessor = shared_per_multiprocessor;
  device.reservedSharedMemPerBlock = shared_reserved_per_block;
}

void describe_execution(cudaDeviceProp& device) {
  device.major = compute_major;
  device.minor = compute_minor;
  device.warpSize = warp_size;
  device.regsPerBlock = registers;
  device.regsPerMultiprocessor = registers;
  device.maxThreadsPerBlock = max_threads_per_block;
  device.maxThreadsDim[0] = max_threads_per_block;
  device.maxThreadsDim[1] = max_threads_per_block;
  device.maxThreadsDim[2] = max_block_z;
  device.maxGridSize[0] = max_grid_x;
  device.maxGridSize[1] = max_grid_y_or_z;
  device.maxGridSize[2] = max_grid_y_or_z;
  device.multiProcessorCount = multiprocessors();
  device.maxThreadsPerMultiProcessor = max_threads_per_multiprocessor;
  device.maxBlocksPerMultiProcessor = max_blocks_per_multiprocessor;
  device.concurrentKernels = 1;
  device.asyncEngineCount = 2;
  device.streamPrioritiesSupported = 1;
  device.computePreemptionSupported = 1;
  device.cooperativeLaunch = 1;
  device.clusterLaunch = 1;
  device.unifiedFunctionPointers = 1;
}

}  // namespace

cudaDeviceProp describe_device() {
  cudaDeviceProp device = {};
  std::snprintf(device.name, sizeof device.name, "heddle CPU machine");
  std::memcpy(device.uuid.bytes, "heddle CPU 13000", sizeof device.uuid.bytes);
  describe_memory(device);
  describe_execution(device);
  return device;
}

bool read_attribute(int& value, cudaDeviceAttr attribute) {
  const cudaDeviceProp device = describe_device();
  const attribute_value known[] = {
      {cudaDevAttrMaxThreadsPerBlock, device.maxThreadsPerBlock},
      {cudaDevAttrMaxBlockDimX, device.maxThreadsDim[0]},
      {cudaDevAttrMaxBlockDimY, device.maxThreadsDim[1]},
      {cudaDevAttrMaxBlockDimZ, device.maxThreadsDim[2]},
      {cudaDevAttrMaxGridDimX, device.maxGridSize[0]},
      {cudaDevAttrMaxGridDimY, device.maxGridSize[1]},
      {cudaDevAttrMaxGridDimZ, device.maxGridSize[2]},
      {cudaDevAttrMaxSharedMemoryPerBlock, device.sharedMemPerBlock},
      {cudaDevAttrTotalConstantMemory, device.totalConstMem},
      {cudaDevAttrWarpSize, device.warpSize},
      {cudaDevAttrMaxPitch, device.memPitch},
      {cudaDevAttrMaxRegistersPerBlock, device.regsPerBlock},
      {cudaDevAttrClockRate, 1000000},  // clock64() counts nanoseconds
      {cudaDevAttrMemoryClockRate, 1000000},
      {cudaDevAttrTextureAlignment, device.textureAlignment},
      {cudaDevAttrMaxTexture1DLinearWidth, max_linear_texture_width},
      {cudaDevAttrTexturePitchAlignment, device.texturePitchAlignment},
      {cudaDevAttrSurfaceAlignment, device.surfaceAlignment},
      {cudaDevAttrGpuOverlap, 1},
      {cudaDevAttrMultiProcessorCount, device.multiProcessorCount},
      {cudaDevAttrCanMapHostMemory, device.canMapHostMemory},
      {cudaDevAttrConcurrentKernels, device.concurrentKernels},
      {cudaDevAttrGlobalMemoryBusWidth, device.memoryBusWidth},
      {cudaDevAttrL2CacheSize, device.l2CacheSize},
      {cudaDevAttrMaxThreadsPerMultiProcessor, device.maxThreadsPerMultiProcessor},
      {cudaDevAttrAsyncEngineCount, device.asyncEngineCount},
      {cudaDevAttrUnifiedAddressing, device.unifiedAddressing},
      {cudaDevAttrComputeCapabilityMajor, device.major},
      {cudaDevAttrComputeCapabilityMinor, device.minor},
      {cudaDevAttrStreamPrioritiesSupported, device.streamPrioritiesSupported},
      {cudaDevAttrGlobalL1CacheSupported, device.globalL1CacheSupported},
      {cudaDevAttrLocalL1CacheSupported, device.localL1CacheSupported},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, device.sharedMemPerMultiprocessor},
      {cudaDevAttrMaxRegistersPerMultiprocessor, device.regsPerMultiprocessor},
      {cudaDevAttrManagedMemory, device.managedMemory},
      {cudaDevAttrHostNativeAtomicSupported, device.hostNativeAtomicSupported},
      {cudaDevAttrSingleToDoublePrecisionPerfRatio, 2},
      {cudaDevAttrConcurrentManagedAccess, device.concurrentManagedAccess},
      {cudaDevAttrComputePreemptionSupported, device.computePreemptionSupported},
      {cudaDevAttrCanUseHostPointerForRegisteredMem, device.canUseHostPointerForRegisteredMem},
      {cudaDevAttrCooperativeLaunch, device.cooperativeLaunch},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, device.sharedMemPerBlockOptin},
      {cudaDevAttrHostRegisterSupported, device.hostRegisterSupported},
      {cudaDevAttrMaxBlocksPerMultiprocessor, device.maxBlocksPerMultiProcessor},
      {cudaDevAttrReservedSharedMemoryPerBlock, device.reservedSharedMemPerBlock},
      {cudaDevAttrMemoryPoolsSupported, device.memoryPoolsSupported},
      {cudaDevAttrClusterLaunch, device.clusterLaunch},
  };
  const auto* const found =
      std::find_if(std::begin(known), std::end(known),
                   [&](const attribute_value& each) { return each.attribute == attribute; });
  // All others are features or sizes that this device does not have.
  value = found != std::end(known) ? found->value : 0;
  return attribute >= cudaDevAttrMaxThreadsPerBlock && attribute < cudaDevAttrMax;
}

}  // namespace api
}  // namespace heddle_host
