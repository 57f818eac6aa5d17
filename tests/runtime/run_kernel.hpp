// Runs a closure as a kernel, without the frontend and the host API.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include <device_functions.h>
#include <heddle_host/finding.hpp>
#include <heddle_host/kernel.hpp>
#include <heddle_host/launch.hpp>
#include <heddle_host/shared.hpp>

struct kernel_shape {
  dim3 grid{1, 1, 1};
  dim3 block{32, 1, 1};
  std::size_t dynamic_shared_bytes = 0;
  bool is_cooperative = false;
  dim3 cluster{1, 1, 1};
};

// `Lanes` says what is known of the kernel, as the frontend would.
template <typename Lanes = heddle_host::any_lanes, typename Body>
cudaError_t run_kernel(kernel_shape shape, Body body) {
  static const heddle_host::kernel_image image{
      "void closure()", heddle_host::type_name<Body>(),       sizeof(Body),
      alignof(Body),    heddle_host::loop_for<Body, Lanes>(), 0,
      dim3(0, 0, 0)};
  heddle_host::launch_request request;
  request.kernel = &image;
  request.closure = std::make_shared<Body>(body);
  request.grid = shape.grid;
  request.block = shape.block;
  request.cluster = shape.cluster;
  request.dynamic_shared_bytes = shape.dynamic_shared_bytes;
  request.is_cooperative = shape.is_cooperative;
  return heddle_host::execute(request);
}

// Collects findings instead of printing them, as long as it exists.
class collected_findings {
 public:
  collected_findings() {
    all().clear();
    heddle_host::listen_to_findings(
        [](const heddle_host::finding& what) { all().push_back(what); });
  }
  ~collected_findings() { heddle_host::listen_to_findings(nullptr); }
  static std::vector<heddle_host::finding>& all() {
    static std::vector<heddle_host::finding> found;
    return found;
  }
};
