// Sixteen bytes of a row in a lane's registers: packed as in memory, unpacked to float for
// arithmetic.
#pragma once
#include <heddle/core/vector_access.cuh>
#include <heddle/norm/matrix.cuh>

#include <cstdint>
#include <cstring>

namespace heddle::norm::detail {

// Aligned rows begin at a multiple of 16 bytes and consist of whole vectors; ragged rows begin and
// end anywhere.
enum class access { aligned, ragged };

template <row_element T>
struct packed {
  static constexpr int length = vector_length<T>;
  // A word filled with ones; the zero word holds zeros.
  static constexpr std::uint32_t word_of_ones = std::is_same_v<T, float>           ? 0x3f800000u
                                                : std::is_same_v<T, __nv_bfloat16> ? 0x3f803f80u
                                                                                   : 0x3c003c00u;
  std::uint32_t words[4];

  __device__ void unpack(float (&values)[length]) const {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if constexpr (std::is_same_v<T, float>) {
        values[i] = __uint_as_float(words[i]);
      } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
        values[2 * i] = __uint_as_float(words[i] << 16);
        values[2 * i + 1] = __uint_as_float(words[i] & 0xffff0000u);
      } else {
        __half2 pair;
        std::memcpy(static_cast<void*>(&pair), &words[i], sizeof pair);
        const float2 both = __half22float2(pair);
        values[2 * i] = both.x;
        values[2 * i + 1] = both.y;
      }
    }
  }

  // As unpack(), with other instructions. If ptxas sees the same conversion twice, it keeps the
  // floats of the whole row from one pass to the next, spilling them to local memory if necessary.
  __device__ void unpack_again(float (&values)[length]) const {
    if constexpr (std::is_same_v<T, float>) {
      unpack(values);
    } else {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        if constexpr (std::is_same_v<T, __nv_bfloat16>) {
          values[2 * i] = __uint_as_float(__byte_perm(words[i], 0, 0x1044));
          values[2 * i + 1] = __uint_as_float(__byte_perm(words[i], 0, 0x3244));
        } else {
          const std::uint32_t turned = __byte_perm(words[i], 0, 0x1032);
          __half2 pair;
          std::memcpy(static_cast<void*>(&pair), &turned, sizeof pair);
          const float2 both = __half22float2(pair);
          values[2 * i] = both.y;
          values[2 * i + 1] = both.x;
        }
      }
    }
  }

  // Element-wise sum, rounded to T.
  [[nodiscard]] __device__ packed plus(const packed& other) const {
    float own[length], more[length];
    unpack(own);
    other.unpack(more);
#pragma unroll
    for (int j = 0; j < length; ++j) own[j] += more[j];
    packed result;
    result.pack(own);
    return result;
  }

  // Element-wise maximum; NaNs are ignored.
  [[nodiscard]] __device__ packed greater(const packed& other) const {
    packed result;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if constexpr (std::is_same_v<T, float>) {
        result.words[i] =
            __float_as_uint(fmaxf(__uint_as_float(words[i]), __uint_as_float(other.words[i])));
      } else {
        using pair = std::conditional_t<std::is_same_v<T, __half>, __half2, __nv_bfloat162>;
        pair own, others;
        std::memcpy(static_cast<void*>(&own), &words[i], sizeof own);
        std::memcpy(static_cast<void*>(&others), &other.words[i], sizeof others);
        own = __hmax2(own, others);
        std::memcpy(&result.words[i], static_cast<const void*>(&own), sizeof own);
      }
    }
    return result;
  }

  __device__ void pack(const float (&values)[length]) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if constexpr (std::is_same_v<T, float>) {
        words[i] = __float_as_uint(values[i]);
      } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
        const __nv_bfloat162 pair = __floats2bfloat162_rn(values[2 * i], values[2 * i + 1]);
        std::memcpy(&words[i], static_cast<const void*>(&pair), sizeof pair);
      } else {
        const __half2 pair = __floats2half2_rn(values[2 * i], values[2 * i + 1]);
        std::memcpy(&words[i], static_cast<const void*>(&pair), sizeof pair);
      }
    }
  }

  // Hides from the compiler that it has already unpacked these words. Otherwise it keeps the
  // floats, in twice the registers, to save the conversions of the second pass.
  __device__ void forget_floats() {
    if constexpr (!std::is_same_v<T, float>) {
#pragma unroll
      for (std::uint32_t& word : words) asm volatile("" : "+r"(word));
    }
  }
};

// Loads columns column … column + length - 1 of a row; columns outside the row become `fill`.
//   row         any address in global memory
//   column      for aligned rows a multiple of the length; for ragged rows any number, even
//               negative
template <access kind, caching hint, row_element T>
[[nodiscard]] __device__ inline packed<T> load_packed(const T* row, int column, int columns,
                                                      float fill) {
  constexpr int length = packed<T>::length;
  packed<T> loaded;
  bool is_vector = column < columns;
  if constexpr (kind == access::ragged) {
    is_vector = column >= 0 && column + length <= columns &&
                reinterpret_cast<std::uintptr_t>(row + column) % vector_bytes == 0;
  }
  if (is_vector) {
    const vector<T> whole = load_vector<hint>(row + column);
    std::memcpy(loaded.words, static_cast<const void*>(&whole), vector_bytes);
    return loaded;
  }
  float values[length];
#pragma unroll
  for (int j = 0; j < length; ++j) {
    values[j] = fill;
    if constexpr (kind == access::ragged) {
      const int place = column + j;
      if (place >= 0 && place < columns) values[j] = static_cast<float>(row[place]);
    }
  }
  loaded.pack(values);
  return loaded;
}

// Stores the columns that lie within the row.
template <access kind, row_element T>
__device__ inline void store_packed(T* row, int column, int columns, const packed<T>& stored) {
  constexpr int length = packed<T>::length;
  bool is_vector = column < columns;
  if constexpr (kind == access::ragged) {
    is_vector = column >= 0 && column + length <= columns &&
                reinterpret_cast<std::uintptr_t>(row + column) % vector_bytes == 0;
  }
  if (is_vector) {
    vector<T> whole;
    std::memcpy(static_cast<void*>(&whole), stored.words, vector_bytes);
    store_vector<caching::once>(row + column, whole);
  } else if constexpr (kind == access::ragged) {
    vector<T> whole;
    std::memcpy(static_cast<void*>(&whole), stored.words, vector_bytes);
#pragma unroll
    for (int j = 0; j < length; ++j) {
      const int place = column + j;
      if (place >= 0 && place < columns) row[place] = whole.values[j];
    }
  }
}

}  // namespace heddle::norm::detail
