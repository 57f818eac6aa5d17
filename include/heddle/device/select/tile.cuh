// How a warp holds its part of a tile and ranks the elements that are kept.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/device/iterators.cuh>
#include <heddle/warp/scan.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle::device::detail {

// A lane holds `vector` neighbours of each row, the lanes of a warp form a row, a warp holds `rows`
// consecutive rows, and the warps of a tile follow each other.
//   bytes         of the largest element that is read
//   all_bytes     of everything that a lane keeps per element
template <int bytes, int all_bytes, int lane_bytes>
struct compaction_shape {
  static constexpr int wanted = lane_bytes / all_bytes > 1 ? lane_bytes / all_bytes : 1;
  static constexpr int neighbours = bytes <= 1   ? 16
                                    : bytes <= 2 ? 8
                                    : bytes <= 4 ? 4
                                    : bytes <= 8 ? 2
                                                 : 1;
  static constexpr int vector = neighbours < 8 ? neighbours : 8;
  static constexpr int most_rows = vector <= 4 ? 8 : 4;  // see rank_lanes()
  static constexpr int wanted_rows = wanted / vector;
  static constexpr int rows = wanted_rows >= most_rows ? most_rows
                              : wanted_rows >= 4       ? 4
                              : wanted_rows >= 2       ? 2
                                                       : 1;
  static constexpr int row_items = vector * warp_size;
  static constexpr int warp_items = rows * row_items;
};

// How many warps of a block have a part of each tile: all but the last, which looks back.
[[nodiscard]] __device__ inline std::uint32_t tile_warps() { return blockDim.x / warp_size - 1; }

// The first element of the caller's warp in a tile.
template <typename Shape>
[[nodiscard]] __device__ inline std::int64_t first_of_warp(std::uint32_t tile) {
  const std::uint64_t parts = std::uint64_t{tile} * tile_warps() + warp_rank();
  return static_cast<std::int64_t>(parts * Shape::warp_items);
}
// True if the place after the last element lies in the caller's warp.
template <typename Shape>
[[nodiscard]] __device__ inline bool ends_in_warp(std::uint32_t tile, std::int64_t count) {
  const std::int64_t first = first_of_warp<Shape>(tile);
  return first <= count && count < first + Shape::warp_items;
}

template <int bytes>
using word_of_bytes = std::conditional_t<
    bytes == 16, uint4,
    std::conditional_t<bytes == 8, uint2,
                       std::conditional_t<bytes == 4, std::uint32_t, std::uint16_t>>>;

// The elements of a lane as loaded; nothing waits for them before get().
template <typename Shape, typename Input>
class lane_elements {
 public:
  using element = element_of<Input>;

  // Reads from the warp's first element on. Past the end of the input the last element is repeated.
  //   count       more than 0
  __device__ void load(const Input& input, std::int64_t first, std::int64_t count) {
    if constexpr (is_read_in_words_) {
      if (first + Shape::warp_items <= count &&
          reinterpret_cast<std::uintptr_t>(input) % bytes_ == 0) {
        const auto* const mine =
            reinterpret_cast<const word_*>(input + first + lane_id() * Shape::vector);
#pragma unroll
        for (int row = 0; row < Shape::rows; ++row) loaded_[row] = mine[row * warp_size];
        return;
      }
    }
    // The last element, counted from the warp's first; it is at most one tile before that.
    const int last =
        first + Shape::warp_items < count ? Shape::warp_items : static_cast<int>(count - 1 - first);
#pragma unroll
    for (int row = 0; row < Shape::rows; ++row) {
      element values[Shape::vector];
#pragma unroll
      for (int i = 0; i < Shape::vector; ++i) {
        const int wanted = row * Shape::row_items + lane_id() * Shape::vector + i;
        values[i] = input[first + (wanted < last ? wanted : last)];
      }
      std::memcpy(static_cast<void*>(&loaded_[row]), values, sizeof(values));
    }
  }
  __device__ void get(element (&values)[Shape::rows][Shape::vector]) const {
#pragma unroll
    for (int row = 0; row < Shape::rows; ++row) {
      std::memcpy(static_cast<void*>(values[row]), &loaded_[row], sizeof(values[row]));
    }
  }

 private:
  static constexpr int bytes_ = Shape::vector * static_cast<int>(sizeof(element));
  static constexpr bool is_read_in_words_ =
      std::is_pointer_v<Input> && (bytes_ == 2 || bytes_ == 4 || bytes_ == 8 || bytes_ == 16);
  struct several_ {
    element values[Shape::vector];
  };
  using word_ = std::conditional_t<is_read_in_words_, word_of_bytes<bytes_>, several_>;
  word_ loaded_[Shape::rows];
};

// A constant is stored once.
template <typename Shape, typename T>
class lane_elements<Shape, constant<T>> {
 public:
  using element = T;
  __device__ void load(const constant<T>& input, std::int64_t, std::int64_t) {
    value_ = input.value;
  }
  __device__ void get(T (&values)[Shape::rows][Shape::vector]) const {
#pragma unroll
    for (int row = 0; row < Shape::rows; ++row) {
#pragma unroll
      for (int i = 0; i < Shape::vector; ++i) values[row][i] = value_;
    }
  }

 private:
  T value_;
};

// How many marked elements of the warp precede the lane's first element of each row.
//   called by   every lane of the warp
//   marks       bit i of marks[row] is for the i-th element of the lane in that row
//   result      the number of marked elements in the warp, in every lane
//   cost        six shuffles for up to four rows of up to four elements per lane, otherwise twelve
template <typename Shape>
[[nodiscard]] __device__ inline int rank_lanes(const std::uint32_t (&marks)[Shape::rows],
                                               int (&ranks)[Shape::rows]) {
  // One word carries the counts of all rows.
  constexpr int bits = Shape::row_items < 1 << 8 ? 8 : 16;
  using word = std::conditional_t<Shape::rows * bits <= 32, std::uint32_t, std::uint64_t>;
  static_assert(Shape::rows * bits <= 64 && Shape::row_items < 1 << bits);
  word counts = 0;
#pragma unroll
  for (int row = 0; row < Shape::rows; ++row) {
    counts |= static_cast<word>(__popc(static_cast<int>(marks[row]))) << bits * row;
  }
  const word up_to = warp::detail::scan_up<warp_size>(all_lanes, counts, plus{});
  const word totals = shuffle(all_lanes, up_to, warp_size - 1);
  const word before = up_to - counts;
  constexpr word mask = (word{1} << bits) - 1;
  // Each row continues the ranks of the row before it.
  int sum = 0;
#pragma unroll
  for (int row = 0; row < Shape::rows; ++row) {
    ranks[row] = sum + static_cast<int>(before >> bits * row & mask);
    sum += static_cast<int>(totals >> bits * row & mask);
  }
  return sum;
}

// Values in shared memory, addressed by a 32-bit address that has gone through a shuffle. It stays
// in a register; the compiler would rebuild a pointer for every access.
template <typename T>
class staged_values {
 public:
  //   called by   every lane of the warp, with the same pointer
  __device__ explicit staged_values(T* first)
      : first_(first),
        address_(
            shuffle(all_lanes, static_cast<std::uint32_t>(__cvta_generic_to_shared(first)), 0)) {}

  __device__ void put(int place, const T& value) const {
    if constexpr (sizeof(T) == 2) {
      std::uint16_t bits;
      std::memcpy(&bits, &value, sizeof(bits));
      asm volatile("st.shared.b16 [%0], %1;" ::"r"(address_ + 2 * place), "h"(bits) : "memory");
    } else if constexpr (sizeof(T) == 4) {
      std::uint32_t bits;
      std::memcpy(&bits, &value, sizeof(bits));
      asm volatile("st.shared.b32 [%0], %1;" ::"r"(address_ + 4 * place), "r"(bits) : "memory");
    } else if constexpr (sizeof(T) == 8) {
      std::uint64_t bits;
      std::memcpy(&bits, &value, sizeof(bits));
      asm volatile("st.shared.b64 [%0], %1;" ::"r"(address_ + 8 * place), "l"(bits) : "memory");
    } else {
      first_[place] = value;
    }
  }
  [[nodiscard]] __device__ const T& operator[](int place) const { return first_[place]; }

 private:
  T* first_;
  std::uint32_t address_;
};

}  // namespace heddle::device::detail
