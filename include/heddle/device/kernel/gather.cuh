// Divides a range among the threads of a grid; each thread reads its share with many loads in
// flight.
#pragma once
#include <heddle/core/features.cuh>
#include <heddle/core/lane.cuh>
#include <heddle/core/vector_access.cuh>
#include <heddle/device/iterators.cuh>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace heddle::device::detail {

// The result of one load: 16 bytes from a pointer, or one element of any other input.
template <typename Input>
struct loaded {
  using element = element_of<Input>;
  static constexpr bool is_vector = false;
  static constexpr int length = 1;
  element values[1];
};
template <typename T>
requires vectorizable<std::remove_const_t<T>>
struct loaded<T*> {
  using element = std::remove_const_t<T>;
  static constexpr bool is_vector = vector_length<element> > 1;
  static constexpr int length = vector_length<element>;
  element values[length];
};

// How many loads each thread keeps in flight: similar in bytes, whatever one load returns.
template <typename Input, int vectors_in_flight>
inline constexpr int loads_in_flight = loaded<Input>::is_vector || sizeof(element_of<Input>) >= 16
                                           ? vectors_in_flight
                                           : 2 * vectors_in_flight;

// Where the loads of a range lie, computed on the host. The grid goes through the range in rounds.
// In each round a block takes a tile of neighbouring loads, `in_flight` per thread. The rest, one
// round or less, is dealt to all threads of the grid in turn.
struct division {
  std::int64_t begin = 0;   // first element of the first load; those before it are loose
  std::int64_t loads = 0;   // of `length` elements each
  std::int64_t end = 0;     // one past the last load; elements from here on are loose
  std::int64_t count = 0;   // elements in all
  std::int64_t rounds = 0;  // whole rounds, before the rest

  [[nodiscard]] __host__ __device__ std::int64_t loose() const { return begin + (count - end); }
};

template <typename Input>
[[nodiscard]] division divide(const Input& input, std::int64_t count) {
  if constexpr (loaded<Input>::is_vector) {
    const auto split = split_vectors(input, count);
    return {split.begin, (split.end - split.begin) / loaded<Input>::length, split.end, count, 0};
  } else {
    static_cast<void>(input);
    return {0, count, count, count, 0};
  }
}
// For a grid of `threads` threads in total.
template <int in_flight>
void count_rounds(division& divided, std::int64_t threads) {
  divided.rounds = std::max<std::int64_t>(divided.loads - 1, 0) / (threads * in_flight);
}

template <caching hint, typename Input>
[[nodiscard]] __device__ inline loaded<Input> load_at(const Input& input, std::int64_t element) {
  loaded<Input> result;
  if constexpr (loaded<Input>::is_vector) {
    const auto bits = load_vector<hint>(input + element);
#pragma unroll
    for (int i = 0; i < loaded<Input>::length; ++i) result.values[i] = bits.values[i];
  } else {
    result.values[0] = input[element];
  }
  return result;
}

// The caller's loads of a division, numbered by step from 0. Construct it before the kernel waits
// for earlier work, so that nothing has to be computed between that wait and the first load.
template <int in_flight, int length>
class own_loads {
 public:
  __device__ explicit own_loads(const division& divided)
      : rounds_(static_cast<std::uint32_t>(divided.rounds)),
        threads_(static_cast<int>(blockDim.x)),
        grid_threads_(static_cast<int>(gridDim.x * blockDim.x)),
        in_tiles_(static_cast<std::int64_t>(blockIdx.x) * blockDim.x * in_flight + threadIdx.x),
        in_rest_(divided.rounds * in_flight * grid_threads_ +
                 static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x)),
        rest_(static_cast<int>(divided.loads - in_rest_)),
        begin_(divided.begin) {}

  // Whether there is a load at step 0.
  [[nodiscard]] __device__ bool has_any() const { return rounds_ > 0 || rest_ > 0; }
  [[nodiscard]] __device__ std::uint32_t rounds() const { return rounds_; }
  // The loads of all threads in whole rounds, or slightly more.
  [[nodiscard]] __device__ std::int64_t loads_in_rounds() const { return in_rest_; }
  // Load number `i` of whole round `round`.
  [[nodiscard]] __device__ std::int64_t in_round(std::uint32_t round, int i) const {
    return in_tiles_ + static_cast<std::int64_t>(round) * (in_flight * grid_threads_) +
           i * threads_;
  }
  // Load number `i` of the rest, and whether it exists.
  [[nodiscard]] __device__ std::int64_t in_rest(int i) const {
    return in_rest_ + i * grid_threads_;
  }
  [[nodiscard]] __device__ bool is_in_rest(int i) const { return i * grid_threads_ < rest_; }
  [[nodiscard]] __device__ std::int64_t element_of_load(std::int64_t load) const {
    return begin_ + load * length;
  }
  // The first element of the load at `step`.
  [[nodiscard]] __device__ std::int64_t element_at(std::uint32_t step) const {
    const std::uint32_t round = step / in_flight;
    const int i = static_cast<int>(step % in_flight);
    return element_of_load(round < rounds_ ? in_round(round, i) : in_rest(i));
  }

 private:
  std::uint32_t rounds_;
  int threads_;
  int grid_threads_;  // a round has fewer than 2^31 loads
  std::int64_t in_tiles_;
  std::int64_t in_rest_;
  int rest_;  // loads from in_rest_ on, over all threads
  std::int64_t begin_;
};
template <typename Input, int in_flight>
using own_loads_of = own_loads<in_flight, loaded<Input>::length>;

// Prefetches the caller's loads into L2, one thread per `line_bytes`; 0: no prefetch. Only for
// small inputs: many rounds keep memory busy anyway, and prefetching too early disturbs the
// previous kernel. It reads nothing, so earlier work in the stream may still be writing there.
//   called by   the threads that will gather(); only code that starts early has time for it
template <int line_bytes, typename Input, int in_flight, int length>
__device__ inline void fetch_ahead(const Input& input, const own_loads<in_flight, length>& own) {
  if constexpr (loaded<Input>::is_vector && line_bytes > 0 && has_feature<feature::early_start>) {
    constexpr std::int64_t most_loads = std::int64_t{1} << 18;
    if (own.loads_in_rounds() > most_loads) return;
    if (threadIdx.x % (line_bytes / vector_bytes) != 0) return;
    const auto fetch = [&](std::int64_t load) {
      asm volatile("prefetch.global.L2 [%0];" ::"l"(input + own.element_of_load(load)));
    };
#pragma unroll 1
    for (std::uint32_t round = 0; round < own.rounds(); ++round) {
#pragma unroll
      for (int i = 0; i < in_flight; ++i) fetch(own.in_round(round, i));
    }
#pragma unroll
    for (int i = 0; i < in_flight; ++i) {
      if (own.is_in_rest(i)) fetch(own.in_rest(i));
    }
  }
}

// Reads the caller's share. Calls on_load(values, step, is_there) for each of its loads, in groups
// that were in flight together; if `is_there` is false the values are undefined. Then calls
// on_loose(element, index) for loose elements.
//   called by   any thread of the one-dimensional grid that `divided` was computed for
//   hint        for whole rounds; an input without them is small, and stays in the caches
//   order       by ascending step, so each of the `length` places of a load sees ascending indices
template <caching hint, typename Input, int in_flight, int length, typename OnLoad,
          typename OnLoose>
__device__ inline void gather(const Input& input, const division& divided,
                              const own_loads<in_flight, length>& own, OnLoad&& on_load,
                              OnLoose&& on_loose) {
  loaded<Input> batch[in_flight];
  for (std::uint32_t round = 0; round < own.rounds(); ++round) {
#pragma unroll
    for (int i = 0; i < in_flight; ++i) {
      batch[i] = load_at<hint>(input, own.element_of_load(own.in_round(round, i)));
    }
#pragma unroll
    for (int i = 0; i < in_flight; ++i) {
      on_load(batch[i].values, round * in_flight + static_cast<std::uint32_t>(i), true);
    }
  }
  if (own.is_in_rest(0)) {
#pragma unroll
    for (int i = 0; i < in_flight; ++i) {
      if (own.is_in_rest(i)) {
        batch[i] = load_at<caching::normal>(input, own.element_of_load(own.in_rest(i)));
      }
    }
#pragma unroll
    for (int i = 0; i < in_flight; ++i) {
      on_load(batch[i].values, own.rounds() * in_flight + static_cast<std::uint32_t>(i),
              own.is_in_rest(i));
    }
  }
  const std::int64_t loose = divided.loose();
  const std::int64_t threads = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
#pragma unroll 1
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < loose;
       i += threads) {
    const std::int64_t index = i < divided.begin ? i : divided.end + (i - divided.begin);
    on_loose(static_cast<element_of<Input>>(input[index]), index);
  }
}

template <int in_flight, caching hint, typename Input, typename OnLoad, typename OnLoose>
__device__ inline void gather(const Input& input, const division& divided, OnLoad&& on_load,
                              OnLoose&& on_loose) {
  gather<hint>(input, divided, own_loads_of<Input, in_flight>(divided), on_load, on_loose);
}

}  // namespace heddle::device::detail
