// Sixteen bytes of a row as a lane keeps them: packed in memory's type, unpacked to float for work.
#pragma once
#include <heddle/core/vector_access.cuh>
#include <heddle/norm/matrix.cuh>

#include <cstdint>
#include <cstring>

namespace heddle::norm::detail {

// How rows lie: `aligned` ones begin at a multiple of 16 bytes and hold whole vectors, `ragged`
// ones begin and end anywhere.
enum class access { aligned, ragged };

template <row_element T>
struct packed {
  static constexpr int length = vector_length<T>;
  // A word of nothing but ones; a word of zeros is 0.
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

  // The same by other instructions. An assembler that sees two conversions of one word keeps the
  // floats of a whole row from one pass to the next, in local memory if need be.
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

  // The sum of the two in each place, rounded to T.
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

  // The greater value of the two in each place; a NaN is nothing.
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

  // From here on the compiler knows the packed words only. It would else keep the floats that it
  // has made of them, in twice the registers, to save the conversion of a second pass.
  __device__ void forget_floats() {
    if constexpr (!std::is_same_v<T, float>) {
#pragma unroll
      for (std::uint32_t& word : words) asm volatile("" : "+r"(word));
    }
  }
};

// Columns column … column + length - 1 of a row of `columns`, with `fill` where there are none.
//   row         any address of global memory
//   column      a multiple of the length if rows are aligned; else anything, also below 0
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

// Stores those of the columns that the row has.
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
