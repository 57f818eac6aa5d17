// `heddle_cluster_gpu`: `heddle cluster` on a GPU, built by nvcc.
#include <heddle/cluster/dbscan.cuh>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/cluster/clusterer.hpp"
#include "cli/commands.hpp"

namespace heddle::cli {
namespace {

enum class side { host, device };

// Memory that grows and is reused: on the device, or pinned on the host for direct copies.
template <typename T, side where>
class kept_memory {
 public:
  kept_memory() = default;
  kept_memory(const kept_memory&) = delete;
  kept_memory& operator=(const kept_memory&) = delete;
  ~kept_memory() { give_back(); }

  [[nodiscard]] T* of_size(std::size_t count) {
    if (count <= count_) return first_;
    give_back();
    void* memory = nullptr;
    check(where == side::device ? cudaMalloc(&memory, count * sizeof(T))
                                : cudaMallocHost(&memory, count * sizeof(T)));
    first_ = static_cast<T*>(memory);
    count_ = count;
    return first_;
  }

 private:
  void give_back() noexcept {
    // An error here has occurred, and been reported, before.
    if (first_ != nullptr)
      static_cast<void>(where == side::device ? cudaFree(first_) : cudaFreeHost(first_));
    first_ = nullptr;
    count_ = 0;
  }

  T* first_ = nullptr;
  std::size_t count_ = 0;
};

// Clusters points of one type; keeps all of its memory for the next cloud.
template <typename T>
class gpu_clustering {
 public:
  clustered_cloud operator()(const std::vector<T>& coordinates, const cluster_options& options,
                             cluster_times& took) {
    const std::size_t count = coordinates.size() / 3;
    stopwatch watch;
    T* const sent = sent_.of_size(coordinates.size());
    T* const points = points_.of_size(coordinates.size());
    std::int32_t* const labels = labels_.of_size(count);
    std::copy(coordinates.begin(), coordinates.end(), sent);
    if (options.above) leave_out_below(*options.above, sent, count);
    copy(points, sent, coordinates.size());
    wait();
    took.copy = watch.lap();
    cluster_.describe(cluster::interleaved_points<3>(static_cast<const T*>(points), count),
                      options.eps, options.min_points, labels);
    wait();
    took.cluster = watch.lap();
    clustered_cloud found = bring_back(labels, count);
    took.copy += watch.lap();
    return found;
  }

 private:
  clustered_cloud bring_back(const std::int32_t* labels, std::size_t count) {
    std::int32_t* const brought = brought_.of_size(count);
    std::uint32_t clusters = 0;
    copy(brought, labels, count);
    copy(&clusters, cluster_.clusters(), 1);
    wait();
    std::vector<cluster::device_statistics<T, 3>> statistics(clusters);
    copy(statistics.data(), cluster_.statistics(), clusters);
    wait();
    clustered_cloud found;
    found.labels.assign(brought, brought + count);
    for (const auto& one : statistics) found.clusters.push_back(in_doubles(one));
    return found;
  }

  template <typename Element>
  static void copy(Element* to, const Element* from, std::size_t count) {
    if (count != 0)
      check(cudaMemcpyAsync(to, from, count * sizeof(Element), cudaMemcpyDefault, nullptr));
  }
  static void wait() { check(cudaStreamSynchronize(nullptr)); }

  cluster::device_dbscan<T, 3> cluster_;
  kept_memory<T, side::host> sent_;
  kept_memory<T, side::device> points_;
  kept_memory<std::int32_t, side::device> labels_;
  kept_memory<std::int32_t, side::host> brought_;
};

class gpu_clusterer : public clusterer {
 public:
  // Throws heddle::error if the current device cannot be used or this program has no code for it.
  // Clustering one point finds that out, and initialises the device outside any frame's time.
  explicit gpu_clusterer(const cluster_options& options) : options_(options) {
    cluster_times ignored;
    of_floats_.emplace()({0, 0, 0}, options, ignored);
  }

  clustered_cloud operator()(const cloud::cloud& points, cluster_times& took) override {
    if (points.exact.empty()) return (*of_floats_)(points.points, options_, took);
    if (!of_doubles_) of_doubles_.emplace();
    return (*of_doubles_)(points.exact, options_, took);
  }
  bool is_on_gpu() const override { return true; }

 private:
  const cluster_options& options_;
  std::optional<gpu_clustering<float>> of_floats_;
  std::optional<gpu_clustering<double>> of_doubles_;
};

std::unique_ptr<clusterer> make_gpu_clusterer(const cluster_options& options) {
  int devices = 0;
  const cudaError_t answer = cudaGetDeviceCount(&devices);
  if (answer != cudaSuccess || devices == 0)
    throw std::runtime_error(
        std::string("CUDA finds no GPU: ") +
        cudaGetErrorString(answer == cudaSuccess ? cudaErrorNoDevice : answer));
  return std::make_unique<gpu_clusterer>(options);
}

}  // namespace

std::unique_ptr<clusterer> choose_clusterer(const cluster_options& options,
                                            const std::vector<std::string>&) {
  if (options.device == cluster_device::cpu) return make_cpu_clusterer(options);
  try {
    return make_gpu_clusterer(options);
  } catch (const std::runtime_error& failure) {
    if (options.device == cluster_device::gpu)
      throw std::runtime_error(std::string("--device gpu: ") + failure.what());
  }
  return make_cpu_clusterer(options);
}

}  // namespace heddle::cli

int main(int argc, char** argv) {
  return heddle::cli::cluster_command(std::vector<std::string>(argv + 1, argv + argc));
}
