// Launches a norm's blocks, in clusters if needed, while the previous kernel is still finishing.
#pragma once
#include <heddle/device/workspace.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::norm::detail {

// A launch in the workspace's stream, in clusters of `blocks_per_cluster` blocks if that is not 1.
class block_launch {
 public:
  block_launch(device::workspace& space, std::int64_t blocks, int threads, int blocks_per_cluster,
               std::size_t shared_bytes, bool starts_early, source_location where)
      : where_(where) {
    if (blocks > std::int64_t{0x7fffffff}) {
      throw error(cudaErrorInvalidValue, "norm: more rows than a grid has blocks for", where);
    }
    configuration_.gridDim = dim3(static_cast<unsigned>(blocks));
    configuration_.blockDim = dim3(static_cast<unsigned>(threads));
    configuration_.dynamicSmemBytes = shared_bytes;
    configuration_.stream = space.stream();
    if (blocks_per_cluster > 1) {
      cudaLaunchAttribute& cluster = attributes_[configuration_.numAttrs++];
      cluster.id = cudaLaunchAttributeClusterDimension;
      cluster.val.clusterDim.x = static_cast<unsigned>(blocks_per_cluster);
      cluster.val.clusterDim.y = 1;
      cluster.val.clusterDim.z = 1;
    }
    if (starts_early) {
      cudaLaunchAttribute& early = attributes_[configuration_.numAttrs++];
      early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
      early.val.programmaticStreamSerializationAllowed = 1;
    }
    configuration_.attrs = attributes_;
  }
  block_launch(const block_launch&) = delete;
  block_launch& operator=(const block_launch&) = delete;

  template <typename... Parameters, typename... Arguments>
  void start(void (*kernel)(Parameters...), const Arguments&... arguments) const {
    check(cudaLaunchKernelEx(&configuration_, kernel, arguments...), where_);
  }

  // How many such clusters are resident at once, at least 1. Single blocks may fit more often,
  // because the blocks of a cluster must be neighbours.
  template <typename... Parameters>
  [[nodiscard]] int resident_clusters(void (*kernel)(Parameters...)) const {
    int clusters = 0;
    check(cudaOccupancyMaxActiveClusters(&clusters, kernel, &configuration_), where_);
    return std::max(clusters, 1);
  }

 private:
  cudaLaunchAttribute attributes_[2]{};
  cudaLaunchConfig_t configuration_{};
  source_location where_;
};

}  // namespace heddle::norm::detail
