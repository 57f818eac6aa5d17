// Reads and writes contiguous ranges 16 bytes at a time, wherever they start and end.
#pragma once
#include <heddle/core/config.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle {

// The widest load or store of a lane.
inline constexpr int vector_bytes = 16;

// Types that fill such a vector exactly: numbers, and structs of 1, 2, 4, 8 or 16 bytes.
template <typename T>
concept vectorizable = std::is_trivially_copyable_v<T> && sizeof(T) <= vector_bytes &&
                       (sizeof(T) & (sizeof(T) - 1)) == 0;

// The number of elements in a vector.
template <vectorizable T>
inline constexpr int vector_length = vector_bytes / static_cast<int>(sizeof(T));

// Sixteen bytes of consecutive elements.
template <vectorizable T>
struct alignas(vector_bytes) vector {
  T values[vector_length<T>];
};

// The cache hint of a global memory access. `once` marks data that will not be read again soon, so
// that it does not evict data that will.
enum class caching { normal, once };

// Loads 16 bytes in one instruction.
//   pointer     aligned to 16 bytes; in global memory if `hint` is `once`
template <caching hint = caching::normal, vectorizable T>
[[nodiscard]] __device__ inline vector<T> load_vector(const T* pointer) {
  HEDDLE_EXPECTS(reinterpret_cast<std::uintptr_t>(pointer) % vector_bytes == 0,
                 "load_vector needs an address that is a multiple of 16");
  const auto* const address = reinterpret_cast<const uint4*>(pointer);
  uint4 bits;
  if constexpr (hint == caching::once) {
    bits = __ldcs(address);
  } else {
    bits = *address;
  }
  vector<T> loaded;
  std::memcpy(static_cast<void*>(&loaded), &bits, vector_bytes);
  return loaded;
}

// Stores 16 bytes in one instruction.
//   pointer     aligned to 16 bytes; in global memory if `hint` is `once`
template <caching hint = caching::normal, vectorizable T>
__device__ inline void store_vector(T* pointer, const vector<T>& stored) {
  HEDDLE_EXPECTS(reinterpret_cast<std::uintptr_t>(pointer) % vector_bytes == 0,
                 "store_vector needs an address that is a multiple of 16");
  auto* const address = reinterpret_cast<uint4*>(pointer);
  uint4 bits;
  std::memcpy(&bits, static_cast<const void*>(&stored), vector_bytes);
  if constexpr (hint == caching::once) {
    __stcs(address, bits);
  } else {
    *address = bits;
  }
}

// A range split into a loose start, whole vectors and a loose end. The vectors are the elements
// [begin, end).
struct vector_split {
  std::int64_t begin;
  std::int64_t end;
};

// Finds the vectors of a range. The loose start and end have fewer than vector_length<T> elements
// each. Two kinds of ranges are all start: those without a whole vector, and those of structs that
// straddle 16-byte boundaries.
template <vectorizable T>
[[nodiscard]] __host__ __device__ inline vector_split split_vectors(const T* pointer,
                                                                    std::int64_t count) {
  constexpr std::int64_t length = vector_length<T>;
  const auto past_boundary = reinterpret_cast<std::uintptr_t>(pointer) % vector_bytes;
  const auto to_boundary = static_cast<std::int64_t>((vector_bytes - past_boundary) % vector_bytes);
  const std::int64_t begin = to_boundary / static_cast<std::int64_t>(sizeof(T));
  if (begin + length > count || to_boundary % static_cast<std::int64_t>(sizeof(T)) != 0) {
    return {count, count};
  }
  return {begin, count - (count - begin) % length};
}

// Divides a range among `stride` threads, of which the caller is number `first`. Calls
// on_vector(index) for each vector of the caller, where `index` is its first element, and
// on_element(index) for the caller's loose elements at the start and the end. Together the threads
// cover every element once. Neighbouring threads get neighbouring vectors.
//   called by   any of the threads, in any order; they do not synchronise
//   first       0 … stride - 1
//   cost        one step for every 16 bytes, and fewer than 2 * vector_length<T> loose elements in
//               the whole range; indices are 64 bits wide
template <vectorizable T, typename OnVector, typename OnElement>
__device__ inline void for_each_vector(const T* pointer, std::int64_t count, std::int64_t first,
                                       std::int64_t stride, OnVector&& on_vector,
                                       OnElement&& on_element) {
  HEDDLE_EXPECTS(0 <= first && first < stride, "for_each_vector needs 0 <= first < stride");
  constexpr std::int64_t length = vector_length<T>;
  const vector_split split = split_vectors(pointer, count);
  for (std::int64_t i = first; i < split.begin; i += stride) on_element(i);
  for (std::int64_t i = split.begin + first * length; i < split.end; i += stride * length) {
    on_vector(i);
  }
  for (std::int64_t i = split.end + first; i < count; i += stride) on_element(i);
}

// Reads the caller's share of a range and calls visit(value, index) for each element. Keeps
// `in_flight` vector loads in flight: a lane that waits for each load before it issues the next
// gets only a fraction of the bandwidth.
//   called by   as for_each_vector
//   order       ascending, except that the loose end comes before the vectors
//   cost        one load for every 16 bytes
template <int in_flight = 4, caching hint = caching::normal, vectorizable T, typename Visit>
__device__ inline void load_each(const T* pointer, std::int64_t count, std::int64_t first,
                                 std::int64_t stride, Visit&& visit) {
  static_assert(in_flight >= 1, "at least one load is on its way");
  HEDDLE_EXPECTS(0 <= first && first < stride, "load_each needs 0 <= first < stride");
  constexpr std::int64_t length = vector_length<T>;
  const vector_split split = split_vectors(pointer, count);
  for (std::int64_t i = first; i < split.begin; i += stride) visit(pointer[i], i);
  for (std::int64_t i = split.end + first; i < count; i += stride) visit(pointer[i], i);

  const std::int64_t step = stride * length;
  std::int64_t next = split.begin + first * length;
  // Full batches: the caller's vectors are at next, next + step, …
  for (; next + (in_flight - 1) * step < split.end; next += in_flight * step) {
    vector<T> batch[in_flight];
#pragma unroll
    for (int i = 0; i < in_flight; ++i) batch[i] = load_vector<hint>(pointer + next + i * step);
#pragma unroll
    for (int i = 0; i < in_flight; ++i) {
#pragma unroll
      for (int j = 0; j < vector_length<T>; ++j) visit(batch[i].values[j], next + i * step + j);
    }
  }
  for (; next < split.end; next += step) {
    const vector<T> last = load_vector<hint>(pointer + next);
#pragma unroll
    for (int j = 0; j < vector_length<T>; ++j) visit(last.values[j], next + j);
  }
}

// Writes make(index) to each element of the caller's share of a range.
//   called by   as for_each_vector
//   order       the loose elements first, then the vectors in ascending order
//   cost        one store for every 16 bytes
template <caching hint = caching::normal, vectorizable T, typename Make>
__device__ inline void store_each(T* pointer, std::int64_t count, std::int64_t first,
                                  std::int64_t stride, Make&& make) {
  HEDDLE_EXPECTS(0 <= first && first < stride, "store_each needs 0 <= first < stride");
  constexpr std::int64_t length = vector_length<T>;
  const vector_split split = split_vectors(pointer, count);
  for (std::int64_t i = first; i < split.begin; i += stride) pointer[i] = make(i);
  for (std::int64_t i = split.end + first; i < count; i += stride) pointer[i] = make(i);
  for (std::int64_t i = split.begin + first * length; i < split.end; i += stride * length) {
    vector<T> made;
#pragma unroll
    for (int j = 0; j < vector_length<T>; ++j) made.values[j] = make(i + j);
    store_vector<hint>(pointer + i, made);
  }
}

}  // namespace heddle
