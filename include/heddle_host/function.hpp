// Queries and settings of kernels for the host.
#pragma once
#include <cstddef>

#include <heddle_host/kernel.hpp>

namespace heddle_host {

// All of these treat a null kernel as an invalid device function.
cudaError_t set_attribute(const kernel_image* kernel, cudaFuncAttribute attribute, int value);
cudaError_t get_attributes(cudaFuncAttributes* attributes, const kernel_image* kernel);

// How many blocks of a kernel fit on one multiprocessor at once.
cudaError_t max_active_blocks(int* blocks, const kernel_image* kernel, int threads,
                              std::size_t dynamic_shared_bytes);
cudaError_t available_dynamic_shared(std::size_t* bytes, const kernel_image* kernel, int blocks,
                                     int threads);
cudaError_t max_active_clusters(int* clusters, const kernel_image* kernel,
                                const cudaLaunchConfig_t* config);
cudaError_t max_cluster_size(int* blocks, const kernel_image* kernel);
int multiprocessors();

// The launch shape that a configuration and its attributes describe.
cudaError_t read_configuration(launch_shape& shape, const cudaLaunchConfig_t* config);

// From now on, null streams in the whole program mean each thread's own default stream.
bool use_per_thread_default_stream();

}  // namespace heddle_host
