// A scan in one kernel for every GPU and every kind of input: each block holds a tile in registers.
#pragma once
#include <heddle/device/kernel/launch.cuh>
#include <heddle/device/kernel/look_back.cuh>
#include <heddle/device/scan/tile.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle::device::detail {

// A Problem describes a scan:
//   value, mark, item     what is read for each element, and what op combines
//   values, marks, output pointers or iterators; count elements
//   op                    combines items
//   has_initial, initial  an item before the first one
//   make(value, previous mark, mark, is_first)   the item of an element
//   result(before, item, including)              the value written for it
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

// True for pointers whose elements can be moved in vectors without changing their bits.
template <typename Pointer, typename T>
inline constexpr bool is_pointer_to =
    std::is_same_v<Pointer, T*> || std::is_same_v<Pointer, const T*>;

// Loads the items of a lane. Past the end of the input the last element is repeated: a scan only
// moves forward, so the repeats never reach a result that is kept.
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

// Writes 16 bytes of each row at a time and returns true, if the warp's elements are complete and
// aligned; otherwise returns false.
template <typename Shape, typename Problem>
[[nodiscard]] __device__ inline bool store_vectors(
    const Problem& problem, std::int64_t first,
    const typename Problem::value (&results)[Shape::rows][Shape::vector]) {
  using value = typename Problem::value;
  if constexpr (Shape::fills_vectors && is_pointer_to<decltype(problem.output), value>) {
    if (first + Shape::warp_items <= problem.count && is_vector_aligned(problem.output)) {
      auto* const mine = problem.output + first + lane_id() * Shape::vector;
#pragma unroll
      for (int row = 0; row < Shape::rows; ++row) {
        uint4 bits;
        std::memcpy(&bits, static_cast<const void*>(results[row]), vector_bytes);
        store_global_vector(mine + row * Shape::row_items, bits);
      }
      return true;
    }
  }
  return false;
}

// Computes the results of a lane, once the prefix of its warp is known.
//   before_rows   from scan_rows()
template <typename Shape, typename Problem>
__device__ inline void results_of(const Problem& problem,
                                  const typename Problem::item (&items)[Shape::rows][Shape::vector],
                                  const typename Problem::item (&before_rows)[Shape::rows],
                                  bool has_before, const typename Problem::item& before,
                                  typename Problem::value (&results)[Shape::rows][Shape::vector]) {
  using item = typename Problem::item;
  finish_rows(items, before_rows, has_before, before, problem.op,
              [&](int row, int i, const item& earlier, const item& own, const item& including) {
                results[row][i] = problem.result(earlier, own, including);
              });
}

// The warps' totals and the prefix of a tile, in shared memory. Stored as bytes, because some item
// types have initialisers.
template <typename Item, int warps>
struct tile_totals {
  alignas(16) unsigned char bytes_of_totals[warps * sizeof(Item)];
  alignas(16) unsigned char bytes_of_carry[sizeof(Item)];

  // The total of each warp; after scan_totals(), of all warps up to and including it.
  [[nodiscard]] __device__ Item& of(int warp) {
    return reinterpret_cast<Item*>(bytes_of_totals)[warp];
  }
  // The prefix of the tile.
  [[nodiscard]] __device__ Item& carry() { return *reinterpret_cast<Item*>(bytes_of_carry); }

  //   called by   every lane of one warp, once all totals are written
  //   result in   lane warps - 1: the aggregate of the tile
  template <typename Op>
  [[nodiscard]] __device__ Item scan_totals(const Op& op) {
    static_assert(warps <= warp_size, "a lane speaks for each warp");
    const int lane = lane_id();
    const Item mine = of(lane < warps ? lane : warps - 1);
    const Item up_to = warp::detail::scan_up<warp_size>(all_lanes, mine, op);
    __syncwarp();  // lanes past the last warp also read the last total
    if (lane < warps) of(lane) = up_to;
    return up_to;
  }

  // The prefix of a warp. Valid if the tile has a carry or the warp is not the first.
  template <typename Op>
  [[nodiscard]] __device__ Item before(int warp, bool has_carry, const Op& op) {
    Item known = warp > 0 ? of(warp - 1) : carry();
    return warp::detail::combine_where(has_carry && warp > 0, carry(), known, known, op);
  }
};

// Scans a tile that the block holds in registers.
//   called by   every thread of the block
//   has_carry   true if anything precedes the tile
//   publish     called by one warp with the tile's aggregate, in its lane warps - 1
//   find        called by one warp; returns the tile's prefix, in its lane 0
template <typename Shape, typename Problem, typename Publish, typename Find>
__device__ inline void scan_tile_of_block(const Problem& problem, std::int64_t first_of_tile,
                                          tile_totals<typename Problem::item, Shape::warps>& totals,
                                          bool has_carry, Publish&& publish, Find&& find) {
  using item = typename Problem::item;
  const int warp = warp_rank();
  const int lane = lane_id();
  const std::int64_t first = first_of_tile + static_cast<std::int64_t>(warp) * Shape::warp_items;
  item items[Shape::rows][Shape::vector];
  load_items<Shape>(problem, first, items);
  const item total = reduce_items(items, problem.op);
  if (lane == 0) totals.of(warp) = total;
  __syncthreads();  // all totals are written
  const bool leads = agreed(warp == 0);
  if (leads) publish(totals.scan_totals(problem.op));
  item before_rows[Shape::rows];
  scan_rows(items, problem.op, before_rows);
  if (leads) {
    const item carry = find();
    if (lane == 0) totals.carry() = carry;
  }
  __syncthreads();  // the prefix of every warp is known
  typename Problem::value results[Shape::rows][Shape::vector];
  results_of<Shape>(problem, items, before_rows, has_carry || warp > 0,
                    totals.before(warp, has_carry, problem.op), results);
  if (store_vectors<Shape>(problem, first, results)) return;
#pragma unroll
  for (int row = 0; row < Shape::rows; ++row) {
#pragma unroll
    for (int i = 0; i < Shape::vector; ++i) {
      const std::int64_t index = first + row * Shape::row_items + lane * Shape::vector + i;
      if (index < problem.count) problem.output[index] = results[row][i];
    }
  }
}

template <typename Problem, int warps, int lane_bytes>
__global__ void __launch_bounds__(warps* warp_size, (sizeof(typename Problem::item) <= 4 ? 2 : 1))
    scan_in_registers(const Problem problem, const look_back_board<typename Problem::item> board) {
  using shape = shape_of<Problem, warps, lane_bytes>;
  using item = typename Problem::item;
  __shared__ taken_tile taken;
  // Alternating: some warps still read one tile's totals while others are at the next tile.
  __shared__ tile_totals<item, warps> totals[2];
  start_in_stream_order();
  if (threadIdx.x == 0) taken = board.take_tile();
  __syncthreads();
  const std::uint32_t launch = taken.launch;
  look_back<item, typename Problem::combine> earlier_tiles(board, launch, problem.has_initial,
                                                           problem.initial, problem.op);
  int turn = 0;
  for (std::uint32_t tile = taken.tile; tile < board.tiles; tile = taken.tile, turn ^= 1) {
    scan_tile_of_block<shape>(
        problem, static_cast<std::int64_t>(tile) * shape::tile_items, totals[turn],
        earlier_tiles.has_before(tile),
        [&](const item& aggregate) {
          // Everyone has read `taken`, and reads the next value only after a barrier.
          if (lane_id() == 0) taken = board.take_tile();
          if (lane_id() == warps - 1) board.publish_aggregate(launch, tile, aggregate);
        },
        [&] { return earlier_tiles.before(tile); });
  }
  board.finish(launch);
}

// Scans at most one tile per block, all at once. No block has to take tiles, so the loads are in
// flight before anything else is known. Blocks start in the order of their numbers, or all of them
// fit on the device, so the tiles before a block's own are always being worked on.
template <typename Problem, int warps, int lane_bytes>
__global__ void __launch_bounds__(warps* warp_size)
    scan_at_once(const __grid_constant__ Problem problem,
                 const __grid_constant__ look_back_board<typename Problem::item> board) {
  using shape = shape_of<Problem, warps, lane_bytes>;
  using item = typename Problem::item;
  __shared__ tile_totals<item, warps> totals;
  __shared__ std::uint32_t launch;
  start_beside_others();
  const std::uint32_t tile = blockIdx.x;
  const bool has_others = board.tiles > 1;
  std::uint32_t number = 0;  // of the launch, in the leading warp
  if (warp_rank() == 0 && has_others) number = board.running_launch();
  const bool has_carry = problem.has_initial || tile > 0;
  scan_tile_of_block<shape>(
      problem, static_cast<std::int64_t>(tile) * shape::tile_items, totals, has_carry,
      [&](const item& aggregate) {
        if (lane_id() == 0) launch = number;
        if (lane_id() == warps - 1 && has_others) board.publish_aggregate(number, tile, aggregate);
      },
      [&] {
        look_back<item, typename Problem::combine> earlier_tiles(board, number, problem.has_initial,
                                                                 problem.initial, problem.op);
        return earlier_tiles.before(tile);
      });
  if (!has_others) return;
  // The last tile has read the aggregates of all others, so all of them know the launch number.
  if (tile == board.tiles - 1 && threadIdx.x == 0) board.end_launch(launch);
  board.finish(launch);
}

}  // namespace heddle::device::detail
