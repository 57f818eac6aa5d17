// Checks the arguments of a row norm and launches its kernel.
#pragma once
#include <heddle/device/kernel/launch.cuh>
#include <heddle/norm/block_launch.cuh>
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

// Names the kept memory in which persistent blocks count rows.
struct row_counter;

// Picks and launches the kernel of one norm.
template <row_element T, typename Statistics, bool adds_residual>
class launcher {
 public:
  launcher(device::workspace& space, const row_arguments<T>& given, source_location where)
      : space_(space), given_(given), kind_(access_of(given)), where_(where) {}

  [[nodiscard]] launch_shape shape() const {
    const int vectors = vectors_of_row<T>(given_.input.columns, kind_);
    const bool has_clusters = device::detail::can_start_early(
        space_, &norm_by_blocks<T, Statistics, adds_residual, access::ragged, 4>);
    const bool may_stream =
        given_.input.rows <= most_rows_of_staying_blocks &&
        has_room_for_stream<4>({0, 4, most_threads_of_stream, most_blocks_of_row}) &&
        has_room_for_stream<8>({0, 8, most_threads_of_stream, 1});
    return default_shape(vectors, kind_, given_.input.rows, space_.multiprocessors(),
                         has_clusters ? most_blocks_of_row : 1, may_stream,
                         Statistics::takes_weight, adds_residual);
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
           stream<4>(shape) || stream<8>(shape) || two_passes<kind>(shape);
  }
  bool launch_ragged(const launch_shape& shape) const {
    constexpr access kind = access::ragged;
    return tiles<kind, 2, 2>(shape) || tiles<kind, 8, 2>(shape) || tiles<kind, 32, 4>(shape) ||
           blocks<kind, 4>(shape) || two_passes<kind>(shape);
  }

  // Each function launches its kernel and returns true if the shape matches.
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
                given_.input.rows, 0);
    return true;
  }
  template <access kind>
  bool two_passes(const launch_shape& shape) const {
    if (shape.lanes != 0 || shape.vectors != 0) return false;
    require_room(shape, 0, 0, 1024);
    launch_rows(&norm_in_two_passes<T, Statistics, adds_residual, kind>, shape, given_.input.rows,
                0);
    return true;
  }

  template <int vectors>
  [[nodiscard]] static std::size_t bytes_of_stream(const launch_shape& shape) {
    using plan = stream_plan<Statistics, adds_residual, vectors>;
    return static_cast<std::size_t>(plan::bytes_of_thread) * shape.threads +
           row_exchange<Statistics>::slot_bytes(shape.threads, shape.blocks_per_row);
  }
  template <int vectors>
  [[nodiscard]] bool has_room_for_stream(const launch_shape& shape) const {
    return bytes_of_stream<vectors>(shape) + sizeof(typename row_exchange<Statistics>::barriers) <=
           space_.facts().shared_bytes_per_block;
  }

  // Launches persistent blocks.
  template <int vectors>
  bool stream(const launch_shape& shape) const {
    if (shape.lanes != 0 || shape.vectors != vectors || !shape.fetches_ahead) return false;
    require_room(shape, shape.threads * shape.blocks_per_row, vectors, most_threads_of_stream);
    if (vectors > 4 && shape.blocks_per_row > 1) {
      refuse("rows of more than one block are fetched ahead by 4 vectors of each thread");
    }
    if (given_.input.rows > most_rows_of_staying_blocks) {
      refuse("more rows than blocks that fetch ahead can count");
    }
    if (!has_room_for_stream<vectors>(shape)) {
      refuse("blocks have too little shared memory for rows that they fetch ahead");
    }
    const auto kernel = &norm_in_stream<T, Statistics, adds_residual, vectors>;
    const std::size_t bytes = bytes_of_stream<vectors>(shape);
    const std::int64_t teams =
        std::min<std::int64_t>(resident_teams(kernel, shape, bytes), given_.input.rows);
    auto* const drawn = reinterpret_cast<std::uint32_t*>(
        space_.template kept<row_counter>(sizeof(std::uint32_t), where_));
    launch_rows(kernel, shape, teams, bytes, drawn);
    return true;
  }

  // How many rows persistent blocks work on at a time.
  //   cost        one driver query per kernel, shape and host thread
  template <typename Kernel>
  std::int64_t resident_teams(Kernel kernel, const launch_shape& shape, std::size_t bytes) const {
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
    // The most any shape may need: the attribute belongs to the kernel, and the last call wins.
    const std::size_t room =
        space_.facts().shared_bytes_per_block - sizeof(typename row_exchange<Statistics>::barriers);
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

  template <typename Kernel, typename... More>
  void launch_rows(Kernel kernel, const launch_shape& shape, std::int64_t teams,
                   std::size_t shared_bytes, const More&... more) const {
    require_blocks(kernel, shape);
    const block_launch launch(space_, teams * shape.blocks_per_row, shape.threads,
                              shape.blocks_per_row, shared_bytes, may_start_early(kernel, shape),
                              where_);
    launch.start(kernel, given_, shape.blocks_per_row, more...);
  }

  template <typename Kernel>
  bool may_start_early(Kernel kernel, const launch_shape& shape) const {
    return shape.starts_early && device::detail::can_start_early(space_, kernel);
  }

  template <typename Kernel>
  void require_blocks(Kernel kernel, const launch_shape& shape) const {
    if (shape.blocks_per_row < 1 || shape.blocks_per_row > most_blocks_of_row) {
      refuse("a row has 1 to 8 blocks");
    }
    // Clusters and early starts came with the same architecture.
    if (shape.blocks_per_row > 1 && !device::detail::can_start_early(space_, kernel)) {
      refuse("a row of several blocks needs a GPU with clusters");
    }
  }

  // Throws if the threads of a row cannot hold it, or if the kernel does not support the block
  // size.
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

// Checks the arguments and launches one kernel, unless there are no rows.
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

// run_norm() for a norm with an optional residual: adds it if it is given.
template <typename Statistics, row_element T>
void run_residual_norm(device::workspace& space, const row_arguments<T>& given,
                       const launch_shape* shape, source_location where) {
  if (given.residual.data != nullptr) {
    run_norm<Statistics, true>(space, given, shape, where);
  } else {
    run_norm<Statistics, false>(space, given, shape, where);
  }
}

}  // namespace detail

}  // namespace heddle::norm
