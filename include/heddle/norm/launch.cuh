// Checks what a row norm is called with, and launches its kernel.
#pragma once
#include <heddle/device/launch.cuh>
#include <heddle/norm/ahead.cuh>
#include <heddle/norm/kernels.cuh>
#include <heddle/norm/shape.cuh>
#include <heddle/norm/stream.cuh>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::norm {

namespace detail {

template <row_element T>
[[nodiscard]] bool is_aligned(const matrix<T>& given) {
  return given.data == nullptr ||
         (reinterpret_cast<std::uintptr_t>(given.data) % vector_bytes == 0 &&
          (given.rows <= 1 || given.stride % vector_length<T> == 0));
}
template <row_element T>
[[nodiscard]] bool is_aligned(const T* given) {
  return reinterpret_cast<std::uintptr_t>(given) % vector_bytes == 0;
}

template <row_element T>
[[nodiscard]] access access_of(const row_arguments<T>& given) {
  const bool all = is_aligned(matrix<T>(const_cast<T*>(given.input.data), given.input.rows,
                                        given.input.columns, given.input.stride)) &&
                   is_aligned(given.output) &&
                   is_aligned(matrix<T>(const_cast<T*>(given.residual.data), given.residual.rows,
                                        given.residual.columns, given.residual.stride)) &&
                   is_aligned(given.sum) && is_aligned(given.weight) && is_aligned(given.bias) &&
                   given.input.columns % vector_length<T> == 0;
  return all ? access::aligned : access::ragged;
}

// A launch of blocks in clusters of `blocks_per_cluster`, if that is not 1, in the workspace's
// stream.
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

  // How many such clusters run at once, at least 1: fewer than blocks would, as those of a cluster
  // are neighbours.
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

// One norm: the kernels of its statistics.
template <row_element T, typename Statistics, bool adds_residual>
class launcher {
 public:
  launcher(device::workspace& space, const row_arguments<T>& given, source_location where)
      : space_(space), given_(given), kind_(access_of(given)), where_(where) {}

  [[nodiscard]] launch_shape shape() const {
    const int vectors = vectors_of_row<T>(given_.input.columns, kind_);
    const bool has_clusters = device::can_start_early(
        space_, &norm_by_blocks<T, Statistics, adds_residual, access::ragged, 4>);
    const bool may_fetch =
        space_.facts().shared_bytes_per_block >=
        bytes_ahead<adds_residual> * most_threads_ahead + slot_bytes_ahead<Statistics>;
    // Layer norms take too many registers for a stream of eight vectors.
    bool may_stream = false;
    if constexpr (!adds_residual && !std::is_same_v<Statistics, layer_statistics>) {
      may_stream = may_fetch &&
                   space_.facts().shared_bytes_per_block >=
                       stream_plan<Statistics, false, 8>::bytes_of_thread * most_threads_of_stream +
                           slot_bytes_of_stream<Statistics>;
    }
    return default_shape(vectors, kind_, given_.input.rows, space_.multiprocessors(),
                         has_clusters ? most_blocks_of_row : 1, may_fetch, may_stream,
                         adds_residual);
  }

  void operator()(const launch_shape& shape) const {
    const bool is_launched =
        kind_ == access::aligned ? launch_aligned(shape) : launch_ragged(shape);
    if (!is_launched) refuse("there is no kernel of this shape");
  }

 private:
  bool launch_aligned(const launch_shape& shape) const {
    constexpr access kind = access::aligned;
    return tiles<kind, 2, 2>(shape) || tiles<kind, 4, 2>(shape) || tiles<kind, 8, 2>(shape) ||
           tiles<kind, 16, 2>(shape) || tiles<kind, 32, 2>(shape) || tiles<kind, 32, 4>(shape) ||
           tiles<kind, 32, 8>(shape) || tiles<kind, 32, 16>(shape) || blocks<kind, 1>(shape) ||
           blocks<kind, 2>(shape) || blocks<kind, 4>(shape) || blocks<kind, 8>(shape) ||
           ahead(shape) || stream<4>(shape) || (!adds_residual && stream<8>(shape)) ||
           two_passes<kind>(shape);
  }
  bool launch_ragged(const launch_shape& shape) const {
    constexpr access kind = access::ragged;
    return tiles<kind, 2, 2>(shape) || tiles<kind, 8, 2>(shape) || tiles<kind, 32, 4>(shape) ||
           blocks<kind, 4>(shape) || two_passes<kind>(shape);
  }

  // Each launches its kernel if that is of the shape.
  template <access kind, int lanes, int vectors>
  bool tiles(const launch_shape& shape) const {
    if (shape.lanes != lanes || shape.vectors != vectors) return false;
    require_room(shape, lanes, vectors, most_threads_of_tiles);
    const std::int64_t rows_of_block = shape.threads / lanes;
    const auto kernel = &norm_by_tiles<T, Statistics, adds_residual, kind, lanes, vectors>;
    const block_launch launch(space_, (given_.input.rows + rows_of_block - 1) / rows_of_block,
                              shape.threads, 1, 0, may_start_early(kernel, shape), where_);
    launch.start(kernel, given_);
    return true;
  }
  template <access kind, int vectors>
  bool blocks(const launch_shape& shape) const {
    if (shape.lanes != 0 || shape.vectors != vectors || shape.fetches_ahead) return false;
    require_room(shape, shape.threads * shape.blocks_per_row, vectors,
                 most_threads_of_block(vectors));
    launch_rows(&norm_by_blocks<T, Statistics, adds_residual, kind, vectors>, shape,
                given_.input.rows);
    return true;
  }
  template <access kind>
  bool two_passes(const launch_shape& shape) const {
    if (shape.lanes != 0 || shape.vectors != 0) return false;
    require_room(shape, 0, 0, 1024);
    launch_rows(&norm_in_two_passes<T, Statistics, adds_residual, kind>, shape, given_.input.rows);
    return true;
  }

  bool ahead(const launch_shape& shape) const {
    if (shape.lanes != 0 || shape.vectors != vectors_ahead || !shape.fetches_ahead ||
        shape.threads > most_threads_ahead) {
      return false;
    }
    require_room(shape, shape.threads * shape.blocks_per_row, vectors_ahead, most_threads_ahead);
    launch_staying(&norm_ahead<T, Statistics, adds_residual>, shape, bytes_ahead<adds_residual>,
                   most_threads_ahead, slot_bytes_ahead<Statistics>);
    return true;
  }
  template <int vectors>
  bool stream(const launch_shape& shape) const {
    if constexpr (vectors <= 4 || !adds_residual) {
      if (shape.lanes != 0 || shape.vectors != vectors || !shape.fetches_ahead) return false;
      require_room(shape, shape.threads * shape.blocks_per_row, vectors, most_threads_of_stream);
      launch_staying(&norm_in_stream<T, Statistics, adds_residual, vectors>, shape,
                     stream_plan<Statistics, adds_residual, vectors>::bytes_of_thread,
                     most_threads_of_stream, slot_bytes_of_stream<Statistics>);
      return true;
    }
    return false;
  }

  // Launches blocks that stay, with `bytes` of shared memory for each thread.
  template <typename Kernel>
  void launch_staying(Kernel kernel, const launch_shape& shape, int bytes, int most_threads,
                      std::size_t slot_bytes) const {
    const auto bytes_of_block = static_cast<std::size_t>(bytes * shape.threads);
    // As much as any shape may want here, because the largest of several wishes has to stand.
    const std::size_t room = std::min(static_cast<std::size_t>(bytes * most_threads),
                                      space_.facts().shared_bytes_per_block - slot_bytes);
    if (bytes_of_block > room) {
      refuse("blocks have too little shared memory for rows that they fetch ahead");
    }
    const std::int64_t teams = resident_teams(kernel, shape, bytes_of_block, room);
    launch_rows(kernel, shape, std::min(teams, given_.input.rows), bytes_of_block);
  }

  // How many rows blocks that stay have at a time.
  //   cost        asked of the driver once for each kernel and shape in every thread
  template <typename Kernel>
  std::int64_t resident_teams(Kernel kernel, const launch_shape& shape, std::size_t bytes,
                              std::size_t room) const {
    struct answer {
      Kernel kernel;
      int device;
      int threads;
      int blocks_per_row;
      int teams;
    };
    static thread_local std::vector<answer> answers;  // of kernels of this type
    const int device = space_.facts().device;
    for (const answer& known : answers) {
      if (known.kernel == kernel && known.device == device && known.threads == shape.threads &&
          known.blocks_per_row == shape.blocks_per_row) {
        return known.teams;
      }
    }
    require_blocks(kernel, shape);
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(room)),
          where_);
    const block_launch launch(space_, shape.blocks_per_row, shape.threads, shape.blocks_per_row,
                              bytes, false, where_);
    const int teams = shape.blocks_per_row > 1
                          ? launch.resident_clusters(kernel)
                          : space_.resident_blocks(kernel, shape.threads, bytes, where_);
    answers.push_back({kernel, device, shape.threads, shape.blocks_per_row, teams});
    return teams;
  }

  template <typename Kernel>
  void launch_rows(Kernel kernel, const launch_shape& shape, std::int64_t teams,
                   std::size_t shared_bytes = 0) const {
    require_blocks(kernel, shape);
    const block_launch launch(space_, teams * shape.blocks_per_row, shape.threads,
                              shape.blocks_per_row, shared_bytes, may_start_early(kernel, shape),
                              where_);
    launch.start(kernel, given_, shape.blocks_per_row);
  }

  template <typename Kernel>
  bool may_start_early(Kernel kernel, const launch_shape& shape) const {
    return shape.starts_early && device::can_start_early(space_, kernel);
  }

  template <typename Kernel>
  void require_blocks(Kernel kernel, const launch_shape& shape) const {
    if (shape.blocks_per_row < 1 || shape.blocks_per_row > most_blocks_of_row) {
      refuse("a row has 1 to 8 blocks");
    }
    // Clusters and early starts came together.
    if (shape.blocks_per_row > 1 && !device::can_start_early(space_, kernel)) {
      refuse("a row of several blocks needs a GPU with clusters");
    }
  }

  // Throws where the threads of a row could not hold it, or a block would be of another size than
  // the kernel is made for.
  void require_room(const launch_shape& shape, int threads, int vectors, int most_threads) const {
    if (shape.threads < warp_size || shape.threads > most_threads ||
        shape.threads % warp_size != 0) {
      refuse("a block of this shape has whole warps, up to " + std::to_string(most_threads) +
             " threads");
    }
    if (vectors > 0 && threads * vectors < vectors_of_row<T>(given_.input.columns, kind_)) {
      refuse("rows of " + std::to_string(given_.input.columns) + " columns do not fit this shape");
    }
  }
  [[noreturn]] void refuse(const std::string& sentence) const {
    throw error(cudaErrorInvalidValue, "norm: " + sentence, where_);
  }

  device::workspace& space_;
  const row_arguments<T>& given_;
  access kind_;
  source_location where_;
};

// Checks the arguments, and launches one kernel if there is a row.
template <typename Statistics, bool adds_residual, row_element T>
void run_norm(device::workspace& space, const row_arguments<T>& given, const launch_shape* shape,
              source_location where) {
  require_columns(given.input.rows, given.input.columns, where);
  const auto require = [&](const auto& one, const char* name) {
    require_shape(one, given.input.rows, given.input.columns, name, where);
  };
  require(given.input, "the input");
  require(given.output, "the output");
  if constexpr (adds_residual) {
    require(given.residual, "the residual");
    require(given.sum, "the sum");
    if (given.sum.data == given.output.data && given.input.rows > 0) {
      throw error(cudaErrorInvalidValue, "norm: the sum and the output need memory of their own",
                  where);
    }
  }
  if (given.input.rows == 0) return;
  const launcher<T, Statistics, adds_residual> launch(space, given, where);
  launch(shape != nullptr ? *shape : launch.shape());
}

}  // namespace detail

}  // namespace heddle::norm
