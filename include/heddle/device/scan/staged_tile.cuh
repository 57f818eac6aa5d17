// A tile of a scan in shared memory: copies it in, reads its items and writes its results.
#pragma once
#include <heddle/core/bulk_copy.cuh>
#include <heddle/core/lane.cuh>
#include <heddle/device/scan/plain.cuh>
#include <heddle/device/scan/stage.cuh>
#include <heddle/device/scan/tile.cuh>

#include <cstdint>

namespace heddle::device::detail {

// A tile and the memory of its stage. Each scanning warp has a part of it; in the last tile of an
// input some parts may be short or empty.
template <typename Problem, typename Shape>
class staged_tile {
 public:
  using item = typename Problem::item;
  using value = typename Problem::value;
  using mark = typename Problem::mark;
  using layout = stage_layout<Problem, Shape>;

  __device__ staged_tile(const Problem& problem, unsigned char* stage, std::uint32_t tile)
      : problem_(problem), stage_(stage), tile_(tile) {}

  // The first element of a warp, and how many it has in this tile: 0 or less if none.
  [[nodiscard]] __device__ std::int64_t first_of(int warp) const {
    return static_cast<std::int64_t>(tile_) * Shape::tile_items + warp * Shape::warp_items;
  }
  [[nodiscard]] __device__ int items_of(int warp) const {
    return items() - warp * Shape::warp_items;
  }

  // Starts the bulk copies of the tile, whose bytes `full` then expects, and copies the loose ends.
  //   called by   every lane of one warp; afterwards lane 0 arrives at `full`, after a __syncwarp()
  __device__ void copy(shared_barrier& full) const {
    const int count = items();
    const std::int64_t first = first_of(0);
    const run_of_bytes of_values(reinterpret_cast<unsigned char*>(values()),
                                 reinterpret_cast<const unsigned char*>(problem_.values + first),
                                 count * static_cast<int>(sizeof(value)));
    if constexpr (Problem::has_marks) {
      const int lead = tile_ > 0 ? layout::lead / static_cast<int>(sizeof(mark)) : 0;
      const run_of_bytes of_marks(
          reinterpret_cast<unsigned char*>(marks() - lead),
          reinterpret_cast<const unsigned char*>(problem_.marks + first - lead),
          (count + lead) * static_cast<int>(sizeof(mark)));
      if (lane_id() == 0) {
        full.expect(of_values.in_bulk() + of_marks.in_bulk());
        of_values.start(full);
        of_marks.start(full);
      }
      of_marks.copy_ends();
    } else if (lane_id() == 0) {
      full.expect(of_values.in_bulk());
      of_values.start(full);
    }
    of_values.copy_ends();
  }

  // True if the tile is complete and aligned, so that items can be read in vectors.
  //   result in   every lane; the compiler knows that it is uniform
  [[nodiscard]] __device__ bool is_whole() const {
    bool is_aligned = past_boundary(problem_.values) == 0;
    if constexpr (Problem::has_marks) {
      is_aligned = is_aligned && past_boundary(problem_.marks) == 0;
    }
    return agreed(Shape::fills_vectors && is_aligned && items() == Shape::tile_items);
  }

  // Reads the items of a lane, from a whole tile.
  //   called by   every lane of a warp, after the copies have arrived
  __device__ void read_whole(int warp, item (&items_of_lane)[Shape::rows][Shape::vector]) const {
    const int mine = warp * Shape::warp_items + lane_id() * Shape::vector;
#pragma unroll
    for (int row = 0; row < Shape::rows; ++row) {
      read_vector(mine + row * Shape::row_items, items_of_lane[row]);
    }
    // Keeps the compiler from loading the same elements one by one after both branches.
    asm volatile("" : : : "memory");
  }

  // Reads the items of a lane, from any tile. Past the end of the input the last element is
  // repeated. It may belong to another warp, so a warp without elements must read before anyone
  // writes to the stage, or not at all.
  __device__ void read_any(int warp, item (&items_of_lane)[Shape::rows][Shape::vector]) const {
    const int count = items();
    const int mine = warp * Shape::warp_items + lane_id() * Shape::vector;
#pragma unroll
    for (int row = 0; row < Shape::rows; ++row) {
#pragma unroll
      for (int i = 0; i < Shape::vector; ++i) {
        const int wanted = mine + row * Shape::row_items + i;
        items_of_lane[row][i] = item_at(wanted < count ? wanted : count - 1);
      }
    }
  }

  // Writes the results of a warp to the output: in vectors, or through its part of the stage, so
  // that neighbouring lanes write neighbouring elements.
  //   called by   every lane of a warp that has elements, after it has read them
  __device__ void write(int warp, const value (&results)[Shape::rows][Shape::vector]) const {
    const std::int64_t first = first_of(warp);
    if (store_vectors<Shape>(problem_, first, results)) return;
    value* const mine = values() + warp * Shape::warp_items;
    const int lane = lane_id();
    __syncwarp();  // all lanes have read their items
#pragma unroll
    for (int row = 0; row < Shape::rows; ++row) {
#pragma unroll
      for (int i = 0; i < Shape::vector; ++i) {
        mine[row * Shape::row_items + lane * Shape::vector + i] = results[row][i];
      }
    }
    __syncwarp();
    const int count = items_of(warp);
    const int end = count < Shape::warp_items ? count : Shape::warp_items;
    for (int place = lane; place < end; place += warp_size) {
      problem_.output[first + place] = mine[place];
    }
    order_before_bulk_copies();
  }

 private:
  // In the whole tile.
  [[nodiscard]] __device__ int items() const {
    const std::int64_t left = problem_.count - static_cast<std::int64_t>(tile_) * Shape::tile_items;
    return left < Shape::tile_items ? static_cast<int>(left) : Shape::tile_items;
  }
  [[nodiscard]] __device__ value* values() const {
    return reinterpret_cast<value*>(stage_ + past_boundary<bulk_line_bytes>(problem_.values));
  }
  [[nodiscard]] __device__ mark* marks() const {
    return reinterpret_cast<mark*>(stage_ + layout::value_bytes + layout::lead +
                                   past_boundary<bulk_line_bytes>(problem_.marks));
  }

  [[nodiscard]] __device__ item item_at(int place) const {
    const bool is_first = tile_ == 0 && place == 0;
    if constexpr (!Problem::has_marks) {
      return problem_.make(values()[place], mark{}, mark{}, is_first);
    } else if constexpr (Problem::needs_previous) {
      return problem_.make(values()[place], marks()[is_first ? place : place - 1], marks()[place],
                           is_first);
    } else {
      return problem_.make(values()[place], marks()[place], marks()[place], is_first);
    }
  }

  // Reads the neighbours from `place` on, a multiple of the vector's length.
  //   called by   every lane of a warp, with consecutive places
  __device__ void read_vector(int place, item (&neighbours)[Shape::vector]) const {
    value own[Shape::vector];
    read_neighbours(values() + place, own);
    if constexpr (Problem::has_marks) {
      mark of_own[Shape::vector];
      read_neighbours(marks() + place, of_own);
      mark previous = of_own[0];
      const bool is_first = tile_ == 0 && place == 0;
      if constexpr (Problem::needs_previous) {
        // Only lane 0 reads its previous mark, which no other lane holds; reads by all lanes would
        // conflict in a few banks.
        if constexpr (exchangeable<mark>) {
          previous = shuffle_up(all_lanes, of_own[Shape::vector - 1], 1);
          if (is_first) previous = of_own[0];
          if (lane_id() == 0 && !is_first) previous = marks()[place - 1];
        } else if (!is_first) {
          previous = marks()[place - 1];
        }
      }
#pragma unroll
      for (int i = 0; i < Shape::vector; ++i) {
        neighbours[i] = problem_.make(own[i], previous, of_own[i], is_first && i == 0);
        previous = of_own[i];
      }
    } else {
#pragma unroll
      for (int i = 0; i < Shape::vector; ++i) {
        neighbours[i] = problem_.make(own[i], mark{}, mark{}, false);
      }
    }
  }

  const Problem& problem_;
  unsigned char* stage_;
  std::uint32_t tile_;
};

}  // namespace heddle::device::detail
