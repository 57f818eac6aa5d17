// Writes sorted keys of one or two bytes from the count of each key.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/vector_access.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/device/sort/key_code.cuh>

#include <cstdint>

namespace heddle::device::detail {

inline constexpr int fill_threads = 256;
inline constexpr int fill_vectors = 4;  // for each thread and step of the grid

// The code of the key at a place of the output: the last one that begins at or before it.
//   begins        of each code, ascending
//   lower, upper  the first and the last code that it may be
[[nodiscard]] __device__ inline int code_at(const std::uint64_t* begins, std::uint64_t place,
                                            int lower, int upper) {
  while (lower < upper) {
    const int middle = (lower + upper + 1) / 2;
    if (begins[middle] <= place) {
      lower = middle;
    } else {
      upper = middle - 1;
    }
  }
  return lower;
}

// The codes of consecutive places, each at most once per call.
class code_walk {
 public:
  __device__ code_walk(const std::uint64_t* begins, int codes, std::uint64_t place, int lower,
                       int upper)
      : begins_(begins), codes_(codes), code_(code_at(begins, place, lower, upper)) {
    find_end();
  }
  // The code at `place`, which grows from call to call.
  [[nodiscard]] __device__ int at(std::uint64_t place) {
    while (place >= end_) {
      ++code_;
      find_end();
    }
    return code_;
  }

 private:
  __device__ void find_end() { end_ = code_ + 1 < codes_ ? begins_[code_ + 1] : ~std::uint64_t{0}; }

  const std::uint64_t* begins_;
  int codes_;
  int code_;
  std::uint64_t end_;  // of the keys with this code
};

// A block searches for the first and the last code of its part, then each thread for that of its
// vectors among these.
template <typename Word>
__global__ void __launch_bounds__(fill_threads)
    fill_with_keys_kernel(const std::uint64_t* begins, Word* sorted, vector_split split,
                          std::int64_t count, key_code<Word> code) {
  constexpr int codes = 1 << (8 * sizeof(Word));
  constexpr int length = vector_length<Word>;
  constexpr std::int64_t part = std::int64_t{fill_threads} * fill_vectors * length;
  __shared__ int edges[2];
  start_in_stream_order();
  const int thread = thread_rank();
  const std::int64_t loose = split.begin + (count - split.end);
  if (blockIdx.x == 0) {
    for (std::int64_t i = thread; i < loose; i += fill_threads) {
      const std::int64_t place = i < split.begin ? i : split.end + (i - split.begin);
      const int found = code_at(begins, static_cast<std::uint64_t>(place), 0, codes - 1);
      sorted[place] = code.decode(static_cast<Word>(found));
    }
  }
  for (std::int64_t first = split.begin + blockIdx.x * part; first < split.end;
       first += gridDim.x * part) {
    const std::int64_t end = first + part < split.end ? first + part : split.end;
    if (thread < 2) {
      const std::int64_t edge = thread == 0 ? first : end - 1;
      edges[thread] = code_at(begins, static_cast<std::uint64_t>(edge), 0, codes - 1);
    }
    __syncthreads();
    const int lower = edges[0], upper = edges[1];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < fill_vectors; ++i) {
      const std::int64_t own = first + (std::int64_t{i} * fill_threads + thread) * length;
      if (own >= end) continue;
      code_walk walk(begins, codes, static_cast<std::uint64_t>(own), lower, upper);
      vector<Word> filled;
#pragma unroll
      for (int j = 0; j < length; ++j) {
        const int found = walk.at(static_cast<std::uint64_t>(own + j));
        filled.values[j] = code.decode(static_cast<Word>(found));
      }
      store_vector(sorted + own, filled);
    }
  }
}

// The counts of keys in the order of their codes.
template <typename Word>
struct counts_by_code {
  const std::uint64_t* counts;  // of each key
  key_code<Word> code;
  __device__ std::uint64_t operator[](std::int64_t i) const {
    return counts[code.decode(static_cast<Word>(i))];
  }
};

}  // namespace heddle::device::detail
