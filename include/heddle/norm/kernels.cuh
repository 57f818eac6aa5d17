// The kernels of row norms: a tile of lanes per row, whole blocks per row, and blocks that read a
// row twice.
#pragma once
#include <heddle/device/kernel/launch.cuh>
#include <heddle/norm/row_team.cuh>
#include <heddle/norm/row_work.cuh>

#include <cstdint>

namespace heddle::norm::detail {

inline constexpr int most_threads_of_tiles = 256;

// How many such blocks must fit on a multiprocessor; this limits the registers.
inline constexpr int blocks_of_tiles(int vectors) {
  return vectors <= 2 ? 8 : vectors <= 4 ? 4 : vectors <= 8 ? 2 : 1;
}

// One row per tile of `width` lanes; each row is read once.
//   launch      blocks of whole warps, with at least one tile per row in total
template <row_element T, typename Statistics, bool adds_residual, access kind, int width,
          int vectors>
__global__ __launch_bounds__(most_threads_of_tiles, blocks_of_tiles(vectors)) void norm_by_tiles(
    const __grid_constant__ row_arguments<T> given) {
  // With 2 vectors the limit is 32 registers, for full occupancy.
  constexpr bool spares_registers = vectors > 4 || (vectors < 4 && Statistics::takes_bias);
  const auto rows_before = static_cast<std::int64_t>(blockIdx.x) * (blockDim.x / width);
  std::int64_t row = rows_before + threadIdx.x / width;
  // Tiles without a row hold nothing, but take part in every shuffle.
  const bool has_row = row < given.input.rows;
  if (!has_row) row = 0;
  device::detail::start_in_stream_order();
  const T* const begin = given.input.data + row * given.input.stride;
  const int columns = has_row ? static_cast<int>(given.input.columns) : 0;
  row_share<T, kind, vectors> share(lane_id() & (width - 1), width, head_of<kind>(begin), columns);
  load_row<adds_residual, caching::once>(given, row, Statistics::fill, share);
  const column_factors<Statistics::takes_weight, false, T, kind, vectors> weights(given.weight,
                                                                                  share);
  const column_factors<Statistics::takes_bias, false, T, kind, vectors> biases(given.bias, share);
  typename Statistics::template kept<vectors * packed<T>::length> kept;
  const auto whole = Statistics::template of_tile<width>(share, kept);
  share.forget_floats();
  if (has_row) {
    store_results<spares_registers>(given, row, Statistics(whole, columns, given.epsilon), share,
                                    kept, weights, biases);
  }
}

// The most threads of a block whose threads hold `vectors` vectors each.
inline constexpr int most_threads_of_block(int vectors) { return vectors > 4 ? 512 : 1024; }

// One row per `blocks_of_row` blocks; each row is read once.
//   launch      blocks of whole warps, in clusters of `blocks_of_row` if that is not 1
template <row_element T, typename Statistics, bool adds_residual, access kind, int vectors>
__global__ __launch_bounds__(most_threads_of_block(vectors)) void norm_by_blocks(
    const __grid_constant__ row_arguments<T> given, int blocks_of_row) {
  constexpr bool is_early = vectors <= 2;  // for few rows, where load latency dominates
  __shared__ row_slots<typename Statistics::partial> slots;
  const row_team team(blocks_of_row);
  const std::int64_t row = team.row();
  const T* const begin = given.input.data + row * given.input.stride;
  const int columns = static_cast<int>(given.input.columns);
  row_share<T, kind, vectors> share(
      team.rank * static_cast<int>(blockDim.x) + static_cast<int>(threadIdx.x),
      blocks_of_row * static_cast<int>(blockDim.x), head_of<kind>(begin), columns);
  // The previous kernel may have written the weights too, so nothing is loaded before this.
  device::detail::start_in_stream_order();
  load_row<adds_residual, caching::once>(given, row, Statistics::fill, share);
  const column_factors<Statistics::takes_weight, is_early, T, kind, vectors> weights(given.weight,
                                                                                     share);
  const column_factors<Statistics::takes_bias, is_early, T, kind, vectors> biases(given.bias,
                                                                                  share);
  typename Statistics::template kept<vectors * packed<T>::length> kept;
  const auto of_warp = Statistics::template of_tile<warp_size>(share, kept);
  share.forget_floats();
  team.wait_for_start();
  const auto whole = team.combine<Statistics>(of_warp, slots, columns);
  store_results<(vectors > 4)>(given, row, Statistics(whole, columns, given.epsilon), share, kept,
                               weights, biases);
}

// As norm_by_blocks(), for rows too long for registers: they are read a second time, from a cache
// if they are still there.
template <row_element T, typename Statistics, bool adds_residual, access kind>
__global__ __launch_bounds__(1024) void norm_in_two_passes(
    const __grid_constant__ row_arguments<T> given, int blocks_of_row) {
  constexpr int vectors = 4;  // per thread and batch
  constexpr int length = packed<T>::length;
  using share_of_batch = row_share<T, kind, vectors>;
  __shared__ row_slots<typename Statistics::partial> slots;
  const row_team team(blocks_of_row);
  const std::int64_t row = team.row();
  const T* const begin = given.input.data + row * given.input.stride;
  const int columns = static_cast<int>(given.input.columns);
  const int threads = blocks_of_row * static_cast<int>(blockDim.x);
  const int rank = team.rank * static_cast<int>(blockDim.x) + static_cast<int>(threadIdx.x);
  const int head = head_of<kind>(begin);
  const typename Statistics::merge merge;
  nothing_kept kept;
  device::detail::start_in_stream_order();

  // A batch is loaded by all threads of the row together and begins at element `base` of the row.
  typename Statistics::partial found = Statistics::nothing();
  const int batch = threads * vectors * length;
  for (int base = 0; base < columns + head; base += batch) {
    share_of_batch share(rank, threads, head - base, columns);
    load_row<adds_residual, caching::normal>(given, row, Statistics::fill, share);
    found = merge(found, Statistics::template of_tile<1>(share, kept));
  }
  team.wait_for_start();
  found = team.combine<Statistics>(warp::reduce(found, merge), slots, columns);
  const Statistics statistics(found, columns, given.epsilon);

  // Every thread reads again what it read, or the sum it wrote. The last batches come first: they
  // are the most likely to be in a cache.
  for (int base = (columns + head - 1) / batch * batch; base >= 0; base -= batch) {
    share_of_batch share(rank, threads, head - base, columns);
    if constexpr (adds_residual) {
      share.template load<caching::once>(given.sum.data + row * given.sum.stride, 0);
    } else {
      share.template load<caching::once>(begin, 0);
    }
    const column_factors<Statistics::takes_weight, false, T, kind, vectors> weights(given.weight,
                                                                                    share);
    const column_factors<Statistics::takes_bias, false, T, kind, vectors> biases(given.bias, share);
    store_results<false>(given, row, statistics, share, kept, weights, biases);
  }
}

}  // namespace heddle::norm::detail
