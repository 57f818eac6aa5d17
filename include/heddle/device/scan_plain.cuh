// A scan as one kernel for every card and every kind of input: each block holds a tile in
// registers.
#pragma once
#include <heddle/device/launch.cuh>
#include <heddle/device/look_back.cuh>
#include <heddle/device/scan_tile.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle::device::detail {

// A Problem says what is scanned:
//   value, mark, item     what is read for each element, and what op combines
//   values, marks, output where, as pointers or iterators; count elements
//   op                    combines items
//   has_initial, initial  an item before the first one
//   make(value, previous mark, mark, is_first)   the item of an element
//   result(before, item, including)              what is written for it
template <typename Problem, int warps, int lane_bytes>
using shape_of =
    tile_shape<static_cast<int>(sizeof(typename Problem::value)),
               Problem::has_marks ? static_cast<int>(sizeof(typename Problem::mark)) : 0, warps,
               lane_bytes>;

template <typename Problem>
[[nodiscard]] __device__ inline typename Problem::item item_at(const Problem& problem,
                                                               const typename Problem::value& value,
                                                               std::int64_t index) {
  if constexpr (!Problem::has_marks) {
    return problem.make(value, typename Problem::mark{}, typename Problem::mark{}, index == 0);
  } else {
    const typename Problem::mark own = problem.marks[index];
    if constexpr (Problem::needs_previous) {
      const typename Problem::mark previous = problem.marks[index > 0 ? index - 1 : 0];
      return problem.make(value, previous, own, index == 0);
    } else {
      return problem.make(value, own, own, index == 0);
    }
  }
}

template <typename Pointer>
[[nodiscard]] __device__ inline bool is_vector_aligned(const Pointer& at) {
  if constexpr (std::is_pointer_v<Pointer>) {
    return reinterpret_cast<std::uintptr_t>(at) % vector_bytes == 0;
  } else {
    return false;
  }
}

// True of pointers whose elements are moved in vectors without a change of their bits.
template <typename Pointer, typename T>
inline constexpr bool is_pointer_to =
    std::is_same_v<Pointer, T*> || std::is_same_v<Pointer, const T*>;

// The items of a lane. Behind the end of the input stands the last element, again and again: a scan
// only goes forward, so nothing that is kept comes of them.
//   first       the first element of the warp
template <typename Shape, typename Problem>
__device__ inline void load_items(const Problem& problem, std::int64_t first,
                                  typename Problem::item (&items)[Shape::rows][Shape::vector]) {
  using value = typename Problem::value;
  const std::int64_t mine = first + lane_id() * Shape::vector;
  if constexpr (Shape::fills_vectors && is_pointer_to<decltype(problem.values), value>) {
    if (first + Shape::warp_items <= problem.count && is_vector_aligned(problem.values)) {
      vector<value> loaded[Shape::rows];
#pragma unroll
      for (int row = 0; row < Shape::rows; ++row) {
        loaded[row] = load_vector(problem.values + mine + row * Shape::row_items);
      }
#pragma unroll
      for (int row = 0; row < Shape::rows; ++row) {
#pragma unroll
        for (int i = 0; i < Shape::vector; ++i) {
          items[row][i] =
              item_at(problem, loaded[row].values[i], mine + row * Shape::row_items + i);
        }
      }
      return;
    }
  }
#pragma unroll
  for (int row = 0; row < Shape::rows; ++row) {
#pragma unroll
    for (int i = 0; i < Shape::vector; ++i) {
      const std::int64_t wanted = mine + row * Shape::row_items + i;
      const std::int64_t index = wanted < problem.count ? wanted : problem.count - 1;
      items[row][i] = item_at(problem, static_cast<value>(problem.values[index]), index);
    }
  }
}

// Writes 16 bytes of each row at a time if all elements of the warp are there and aligned, and says
// whether it has.
template <typename Shape, typename Problem>
[[nodiscard]] __device__ inline bool store_vectors(
    const Problem& problem, std::int64_t first,
    const typename Problem::value (&results)[Shape::rows][Shape::vector]) {
  using value = typename Problem::value;
  if constexpr (Shape::fills_vectors && is_pointer_to<decltype(problem.output), value>) {
    if (first + Shape::warp_items <= problem.count && is_vector_aligned(problem.output)) {
#pragma unroll
      for (int row = 0; row < Shape::rows; ++row) {
        uint4 bits;
        std::memcpy(&bits, static_cast<const void*>(results[row]), vector_bytes);
        store_global_vector(
            problem.output + first + row * Shape::row_items + lane_id() * Shape::vector, bits);
      }
      return true;
    }
  }
  return false;
}

// The registers of a scan that is being written down.
template <typename Shape, typename Problem>
__device__ inline void results_of(const Problem& problem,
                                  const typename Problem::item (&items)[Shape::rows][Shape::vector],
                                  bool has_before, const typename Problem::item& before,
                                  typename Problem::value (&results)[Shape::rows][Shape::vector]) {
  using item = typename Problem::item;
  scan_items(items, has_before, before, problem.op,
             [&](int row, int i, const item& earlier, const item& own, const item& including) {
               results[row][i] = problem.result(earlier, own, including);
             });
}

template <typename Problem, int warps, int lane_bytes>
__global__ void __launch_bounds__(warps* warp_size, (sizeof(typename Problem::item) <= 4 ? 2 : 1))
    scan_in_registers(const Problem problem, const look_back_board<typename Problem::item> board) {
  using shape = shape_of<Problem, warps, lane_bytes>;
  using item = typename Problem::item;
  using value = typename Problem::value;
  __shared__ taken_tile taken;
  __shared__ alignas(16) unsigned char total_bytes[warps * sizeof(item)];
  __shared__ alignas(16) unsigned char before_bytes[warps * sizeof(item)];
  item* const totals = reinterpret_cast<item*>(total_bytes);
  item* const before = reinterpret_cast<item*>(before_bytes);
  const int warp = warp_rank();
  const int lane = lane_id();
  start_in_stream_order();
  if (threadIdx.x == 0) taken = board.take_tile();
  __syncthreads();
  const std::uint32_t launch = taken.launch;
  look_back<item, typename Problem::combine> earlier_tiles(board, launch, problem.has_initial,
                                                           problem.initial, problem.op);
  for (std::uint32_t tile = taken.tile; tile < board.tiles; tile = taken.tile) {
    const std::int64_t first = static_cast<std::int64_t>(tile) * shape::tile_items +
                               static_cast<std::int64_t>(warp) * shape::warp_items;
    item items[shape::rows][shape::vector];
    load_items<shape>(problem, first, items);
    const item total = reduce_items(items, problem.op);
    if (lane == 0) totals[warp] = total;
    __syncthreads();  // the totals are there, and everybody has read `taken`
    const bool has_carry = earlier_tiles.has_before(tile);
    if (warp == 0) {
      if (lane == 0) taken = board.take_tile();
      const item mine = totals[lane < warps ? lane : warps - 1];
      const item aggregate = join_warps<warps>(mine, problem.op);
      if (lane == 0) board.publish_aggregate(launch, tile, aggregate);
      const item carry = earlier_tiles.before(tile);
      const item before_mine = before_warps<warps>(mine, has_carry, carry, problem.op);
      if (lane < warps) before[lane] = before_mine;
    }
    __syncthreads();  // what stands before each warp is there, and so is the next tile
    value results[shape::rows][shape::vector];
    results_of<shape>(problem, items, has_carry || warp > 0, before[warp], results);
    if (store_vectors<shape>(problem, first, results)) continue;
#pragma unroll
    for (int row = 0; row < shape::rows; ++row) {
#pragma unroll
      for (int i = 0; i < shape::vector; ++i) {
        const std::int64_t index = first + row * shape::row_items + lane * shape::vector + i;
        if (index < problem.count) problem.output[index] = results[row][i];
      }
    }
  }
  board.finish(launch);
}

}  // namespace heddle::device::detail
