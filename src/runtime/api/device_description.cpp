// The device's properties and attributes.
#include "api/device_description.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <iterator>

#include <heddle_host/devices.hpp>
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
  device.texturePitchAlignment = texture_pitch_alignment;
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
  device.memoryPoolSupportedHandleTypes = cudaMemHandleTypePosixFileDescriptor;
  device.ipcEventSupported = 1;
  device.globalL1CacheSupported = 1;
  device.localL1CacheSupported = 1;
  device.sharedMemPerBlock = shared_per_block;
  device.sharedMemPerBlockOptin = shared_per_block_optin;
  device.sharedMemPerMultiprocessor = shared_per_multiprocessor;
  device.reservedSharedMemPerBlock = shared_reserved_per_block;
}

// Textures and surfaces have the same limits, except in one dimension.
void describe_textures(cudaDeviceProp& device) {
  const auto put = [](int* sizes, std::initializer_list<std::size_t> values) {
    for (const std::size_t value : values) *sizes++ = static_cast<int>(value);
  };
  const auto layers = largest_planes_in_layers.depth;
  const auto side = largest_planes_in_layers.width;
  device.maxTexture1D = static_cast<int>(largest_line.width);
  device.maxTexture1DMipmap = static_cast<int>(side);
  device.maxSurface1D = static_cast<int>(side);
  device.maxTextureCubemap = static_cast<int>(side);
  device.maxSurfaceCubemap = static_cast<int>(side);
  put(device.maxTexture2DMipmap, {side, side});
  put(device.maxTexture2DGather, {side, side});
  put(device.maxTexture2DLinear,
      {max_pitched_texture_width, max_pitched_texture_height, max_pitched_texture_pitch});
  for (auto* sizes : {device.maxTexture2D, device.maxSurface2D}) {
    put(sizes, {largest_plane.width, largest_plane.height});
  }
  for (auto* sizes : {device.maxTexture3D, device.maxSurface3D}) {
    put(sizes, {largest_volume.width, largest_volume.height, largest_volume.depth});
  }
  for (auto* sizes : {device.maxTexture1DLayered, device.maxSurface1DLayered}) {
    put(sizes, {side, layers});
  }
  for (auto* sizes : {device.maxTexture2DLayered, device.maxSurface2DLayered}) {
    put(sizes, {side, side, layers});
  }
  for (auto* sizes : {device.maxTextureCubemapLayered, device.maxSurfaceCubemapLayered}) {
    put(sizes, {side, largest_cubes.depth});
  }
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

cudaDeviceProp describe_device(int number) {
  cudaDeviceProp device = {};
  std::snprintf(device.name, sizeof device.name, "heddle CPU machine");
  std::memcpy(device.uuid.bytes, "heddle CPU 13000", sizeof device.uuid.bytes);
  device.uuid.bytes[15] = static_cast<char>(device.uuid.bytes[15] + number);
  device.pciBusID = number;
  describe_memory(device);
  describe_textures(device);
  describe_execution(device);
  return device;
}

std::string bus_id(int device) {
  char text[16];
  std::snprintf(text, sizeof text, "0000:%02x:00.0", static_cast<unsigned>(device) & 0xff);
  return text;
}

int device_at(const char* identifier) {
  for (int device = 0; device < device_count(); ++device) {
    if (bus_id(device) == identifier) return device;
  }
  return -1;
}

// Only the driver API names these two attributes.
constexpr auto supports_virtual_memory = static_cast<cudaDeviceAttr>(102);
constexpr auto supports_memory_as_files = static_cast<cudaDeviceAttr>(103);

bool read_attribute(int& value, cudaDeviceAttr attribute, int number) {
  const cudaDeviceProp device = describe_device(number);
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
      {cudaDevAttrMaxTexture1DWidth, device.maxTexture1D},
      {cudaDevAttrMaxTexture1DMipmappedWidth, device.maxTexture1DMipmap},
      {cudaDevAttrMaxTexture2DWidth, device.maxTexture2D[0]},
      {cudaDevAttrMaxTexture2DHeight, device.maxTexture2D[1]},
      {cudaDevAttrMaxTexture2DMipmappedWidth, device.maxTexture2DMipmap[0]},
      {cudaDevAttrMaxTexture2DMipmappedHeight, device.maxTexture2DMipmap[1]},
      {cudaDevAttrMaxTexture2DGatherWidth, device.maxTexture2DGather[0]},
      {cudaDevAttrMaxTexture2DGatherHeight, device.maxTexture2DGather[1]},
      {cudaDevAttrMaxTexture2DLinearWidth, device.maxTexture2DLinear[0]},
      {cudaDevAttrMaxTexture2DLinearHeight, device.maxTexture2DLinear[1]},
      {cudaDevAttrMaxTexture2DLinearPitch, device.maxTexture2DLinear[2]},
      {cudaDevAttrMaxTexture3DWidth, device.maxTexture3D[0]},
      {cudaDevAttrMaxTexture3DHeight, device.maxTexture3D[1]},
      {cudaDevAttrMaxTexture3DDepth, device.maxTexture3D[2]},
      {cudaDevAttrMaxTexture1DLayeredWidth, device.maxTexture1DLayered[0]},
      {cudaDevAttrMaxTexture1DLayeredLayers, device.maxTexture1DLayered[1]},
      {cudaDevAttrMaxTexture2DLayeredWidth, device.maxTexture2DLayered[0]},
      {cudaDevAttrMaxTexture2DLayeredHeight, device.maxTexture2DLayered[1]},
      {cudaDevAttrMaxTexture2DLayeredLayers, device.maxTexture2DLayered[2]},
      {cudaDevAttrMaxTextureCubemapWidth, device.maxTextureCubemap},
      {cudaDevAttrMaxTextureCubemapLayeredWidth, device.maxTextureCubemapLayered[0]},
      {cudaDevAttrMaxTextureCubemapLayeredLayers, device.maxTextureCubemapLayered[1]},
      {cudaDevAttrMaxSurface1DWidth, device.maxSurface1D},
      {cudaDevAttrMaxSurface2DWidth, device.maxSurface2D[0]},
      {cudaDevAttrMaxSurface2DHeight, device.maxSurface2D[1]},
      {cudaDevAttrMaxSurface3DWidth, device.maxSurface3D[0]},
      {cudaDevAttrMaxSurface3DHeight, device.maxSurface3D[1]},
      {cudaDevAttrMaxSurface3DDepth, device.maxSurface3D[2]},
      {cudaDevAttrMaxSurface1DLayeredWidth, device.maxSurface1DLayered[0]},
      {cudaDevAttrMaxSurface1DLayeredLayers, device.maxSurface1DLayered[1]},
      {cudaDevAttrMaxSurface2DLayeredWidth, device.maxSurface2DLayered[0]},
      {cudaDevAttrMaxSurface2DLayeredHeight, device.maxSurface2DLayered[1]},
      {cudaDevAttrMaxSurface2DLayeredLayers, device.maxSurface2DLayered[2]},
      {cudaDevAttrMaxSurfaceCubemapWidth, device.maxSurfaceCubemap},
      {cudaDevAttrMaxSurfaceCubemapLayeredWidth, device.maxSurfaceCubemapLayered[0]},
      {cudaDevAttrMaxSurfaceCubemapLayeredLayers, device.maxSurfaceCubemapLayered[1]},
      {cudaDevAttrTexturePitchAlignment, device.texturePitchAlignment},
      {cudaDevAttrSurfaceAlignment, device.surfaceAlignment},
      {cudaDevAttrPciBusId, device.pciBusID},
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
      {cudaDevAttrMemoryPoolSupportedHandleTypes,
       static_cast<int>(device.memoryPoolSupportedHandleTypes)},
      {cudaDevAttrIpcEventSupport, device.ipcEventSupported},
      {cudaDevAttrClusterLaunch, device.clusterLaunch},
      {supports_virtual_memory, 1},
      {supports_memory_as_files, 1},
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
