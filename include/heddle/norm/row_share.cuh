// One thread's share of a row: vectors at a fixed stride, held in registers.
#pragma once
#include <heddle/norm/packed.cuh>

namespace heddle::norm::detail {

// Vector i of the thread begins at column first + i * step. Neighbouring threads hold neighbouring
// vectors. In a ragged row the vectors begin at multiples of 16 bytes of the input, so the first
// one may begin before the row.
template <row_element T, access kind, int vectors>
struct row_share {
  static constexpr int length = packed<T>::length;
  static constexpr bool is_aligned = kind == access::aligned;
  packed<T> held[vectors];
  int first;
  int step;
  int columns;

  // For thread `rank` of `threads`, in a row that begins `head` elements after a multiple of 16
  // bytes.
  __device__ row_share(int rank, int threads, int head, int row_columns)
      : first(rank * length - head), step(threads * length), columns(row_columns) {}

  [[nodiscard]] __device__ int column(int i) const { return first + i * step; }

  template <caching hint>
  __device__ void load(const T* row, float fill) {
#pragma unroll
    for (int i = 0; i < vectors; ++i) {
      held[i] = load_packed<kind, hint>(row, column(i), columns, fill);
    }
  }

  __device__ void store(T* row) const {
#pragma unroll
    for (int i = 0; i < vectors; ++i) store_packed<kind>(row, column(i), columns, held[i]);
  }

  // Adds the same columns of another row; sums are rounded to T.
  __device__ void add(const row_share& other) {
#pragma unroll
    for (int i = 0; i < vectors; ++i) held[i] = held[i].plus(other.held[i]);
  }

  // The thread's maximum, at least `least`; NaNs are ignored.
  [[nodiscard]] __device__ float greatest(float least) const {
    float values[length];
#pragma unroll
    for (float& value : values) value = least;
    packed<T> found;
    found.pack(values);
#pragma unroll
    for (const packed<T>& vector : held) found = found.greater(vector);
    found.unpack(values);
#pragma unroll
    for (const float value : values) least = fmaxf(least, value);
    return least;
  }

  // The first of the thread's values in the row; any value if it has none.
  [[nodiscard]] __device__ float first_value() const {
    float values[length];
    held[0].unpack(values);
    float found = values[length - 1];
#pragma unroll
    for (int j = length - 2; j >= 0; --j) {
      if (is_aligned || column(0) + j >= 0) found = values[j];
    }
    return found;
  }

  // Calls visit(value) for every value of the thread, with `fill` for those outside the row.
  template <typename Visit>
  __device__ void each(Visit&& visit) const {
#pragma unroll
    for (int i = 0; i < vectors; ++i) {
      float values[length];
      held[i].unpack(values);
#pragma unroll
      for (int j = 0; j < length; ++j) visit(values[j]);
    }
  }

  // Calls visit(value - center) for every value; values outside the row give 0 if `fill` was 0.
  // Aligned rows take no branch that would hold up a vector.
  template <typename Visit>
  __device__ void each_distance(float center, Visit&& visit) const {
#pragma unroll
    for (int i = 0; i < vectors; ++i) {
      float values[length];
      held[i].unpack(values);
      const float center_of_vector = column(i) < columns ? center : 0.0f;
#pragma unroll
      for (int j = 0; j < length; ++j) {
        const int place = column(i) + j;
        const bool is_present = kind == access::aligned || (place >= 0 && place < columns);
        visit(values[j] - (is_present ? center_of_vector : 0.0f));
      }
    }
  }

  // How many of the row's values are held by the tile of `lanes` threads in which the caller is
  // number `lane`.
  [[nodiscard]] __device__ int present(int lane, int lanes) const {
    if (kind == access::aligned && columns == vectors * step) return lanes * vectors * length;
    int count = 0;
#pragma unroll
    for (int i = 0; i < vectors; ++i) {
      const int begin = max(column(i) - lane * length, 0);
      const int end = min(column(i) + (lanes - lane) * length, columns);
      count += max(end - begin, 0);
    }
    return count;
  }

  // Hides the columns from the compiler. Otherwise it keeps all addresses derived from them from
  // row to row, in more registers than the row itself takes.
  __device__ void forget_columns() { asm volatile("" : "+r"(first), "+r"(step)); }

  __device__ void forget_floats() {
#pragma unroll
    for (packed<T>& vector : held) vector.forget_floats();
  }
};

}  // namespace heddle::norm::detail
