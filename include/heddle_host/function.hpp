// What the host can ask of a kernel and set for it.
#pragma once
#include <cstddef>

#include <heddle_host/kernel.hpp>

namespace heddle_host {

// All of these take a null kernel as an invalid device function.
cudaError_t set_attribute(const kernel_image* kernel, cudaFuncAttribute attribute, int value);
cudaError_t get_attributes(cudaFuncAttributes* attributes, const kernel_image* kernel);

// Blocks of a kernel that one multiprocessor holds at once.
cudaError_t max_active_blocks(int* blocks, const kernel_image* kernel, int threads,
                              std::size_t dynamic_shared_bytes);
cudaError_t available_dynamic_shared(std::size_t* bytes, const kernel_image* kernel, int blocks,
                                     int threads);
cudaError_t max_active_clusters(int* clusters, const kernel_image* kernel,
                                const cudaLaunchConfig_t* config);
cudaError_t max_cluster_size(int* blocks, const kernel_image* kernel);
int multiprocessors();

// The shape that a launch configuration with its attributes describes.
cudaError_t read_configuration(launch_shape& shape, const cudaLaunchConfig_t* config);

// Null streams of the whole program mean each thread's own default stream from now on.
bool use_per_thread_default_stream();

}  // namespace heddle_host
