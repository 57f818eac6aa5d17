// A hash table of the occupied cells, in bricks of 64 cells that share one entry.
#pragma once
#include <heddle/core/config.cuh>
#include <heddle/sync/access.cuh>

#include <cstdint>

namespace heddle::cluster::detail {

// A brick is 4 x 4 x 4 cells, or 8 x 8 on two axes. Along each axis, the cells within two of a
// given cell are in its brick and at most one other. So a whole neighbourhood takes 8 or 4 entries.
template <int axes>
struct brick_shape {
  static constexpr int bits = axes == 3 ? 2 : 3;  // of a cell's number on an axis
  static constexpr int width = 1 << bits;
  static constexpr int most_in_reach = 1 << axes;
};

// A brick's number on each axis, offset so that none is 0.
template <int axes>
struct brick_name {
  std::uint64_t on_axis[axes];
};

// An entry. An all-zero name means unused: zeroed memory is an empty table.
template <int axes>
struct brick {
  brick_name<axes> name;
  std::uint64_t cells;       // bit i: cell i is occupied; x varies fastest
  std::uint32_t first_cell;  // the number of the first occupied cell; the others follow
};

// The number of an occupied cell in a brick with these cells.
[[nodiscard]] __device__ inline std::uint32_t number_of_cell(std::uint64_t cells,
                                                             std::uint32_t first_cell,
                                                             int in_brick) {
  const std::uint64_t before = cells & ((std::uint64_t{1} << in_brick) - 1);
  return first_cell + static_cast<std::uint32_t>(__popcll(before));
}

// A cell: its brick and its place in the brick.
template <int axes>
struct cell_place {
  brick_name<axes> name;
  int in_brick;
};

template <int axes>
[[nodiscard]] __device__ inline cell_place<axes> place_of_cell(const std::int64_t (&number)[axes]) {
  using shape = brick_shape<axes>;
  cell_place<axes> result{};
#pragma unroll
  for (int axis = 0; axis < axes; ++axis) {
    result.name.on_axis[axis] =
        static_cast<std::uint64_t>(number[axis] >> shape::bits) + (std::uint64_t{1} << 63);
    result.in_brick |= static_cast<int>(number[axis] & (shape::width - 1)) << shape::bits * axis;
  }
  return result;
}

// Open addressing with linear probing.
template <int axes>
class brick_table {
 public:
  using slot_number = std::uint32_t;

  // `count` is a power of two, larger than the number of bricks; the memory must start zeroed.
  brick_table(brick<axes>* slots, std::uint32_t count) : slots_(slots), last_(count - 1) {}

  [[nodiscard]] __device__ brick<axes>& operator[](slot_number slot) const { return slots_[slot]; }

  // The slot of a brick, claimed for it if nobody has asked for the brick before; is_first is true
  // in exactly one of the lanes that ask. The words of a name are claimed one by one: a lane goes
  // on to the next word, or to the next slot if the word belongs to another name. Words never
  // change once set, so all lanes that want a brick pass the same slots.
  //   called by   any lanes at the same time
  [[nodiscard]] __device__ slot_number claim(const brick_name<axes>& name, bool& is_first) const {
    is_first = false;
    for (slot_number slot = home(name);; slot = (slot + 1) & last_) {
      std::uint64_t* const words = slots_[slot].name.on_axis;
      std::uint64_t held[axes];  // all loads in flight at once
#pragma unroll
      for (int axis = 0; axis < axes; ++axis) held[axis] = sync::load(words + axis);
      bool is_it = true, is_late = false;
#pragma unroll
      for (int axis = 0; axis < axes; ++axis) {
        if (!is_it) continue;
        is_first = false;
        // By now the lane that came first has probably written the next word.
        if (held[axis] == 0 && is_late) held[axis] = sync::load(words + axis);
        if (held[axis] == 0) {
          held[axis] = sync::compare_exchange(words + axis, 0, name.on_axis[axis]);
          is_first = held[axis] == 0;
          if (is_first) continue;
          is_late = true;
        }
        is_it = held[axis] == name.on_axis[axis];
      }
      if (is_it) return slot;
    }
  }

  // A brick's entry; it has no cells if the brick is not in the table. No claim() may run at the
  // same time.
  [[nodiscard]] __device__ brick<axes> find(const brick_name<axes>& name) const {
    for (slot_number slot = home(name);; slot = (slot + 1) & last_) {
      const brick<axes> held = slots_[slot];
      std::uint64_t difference = 0;
#pragma unroll
      for (int axis = 0; axis < axes; ++axis) {
        difference |= held.name.on_axis[axis] ^ name.on_axis[axis];
      }
      if (difference == 0 || held.name.on_axis[0] == 0) return held;
    }
  }

 private:
  [[nodiscard]] __device__ slot_number home(const brick_name<axes>& name) const {
    std::uint64_t mixed = 0;
#pragma unroll
    for (int axis = 0; axis < axes; ++axis) {
      mixed = (mixed ^ name.on_axis[axis]) * 0x9e3779b97f4a7c15u;
      mixed ^= mixed >> 32;
    }
    return static_cast<slot_number>(mixed) & last_;
  }

  brick<axes>* slots_;
  slot_number last_;
};

}  // namespace heddle::cluster::detail
