// Finds the largest or smallest element of a range, and its index.
//   strategy    as reduce(), over pairs of value and index
//   needs       sm_75; clusters and early start sm_90
#pragma once
#include <heddle/device/fold_tuning.cuh>
#include <heddle/device/reduce/fold.cuh>
#include <heddle/warp/arg.cuh>

#include <cstdint>

namespace heddle::device {

using warp::indexed;

namespace detail {

using warp::detail::extreme;

// Compares two candidates. A NaN loses to any number; equal values tie.
template <extreme wanted, typename T>
struct better {
  using compared = accumulator<T>;
  static constexpr compared worst_number = wanted == extreme::largest
                                               ? heddle::detail::lower_end<compared>
                                               : heddle::detail::upper_end<compared>;

  // Loses to every number that can win; whatever does not beat it ties with it.
  [[nodiscard]] __device__ static T worst() {
    if constexpr (is_floating<T>) {
      return static_cast<T>(static_cast<compared>(__int_as_float(0x7fffffff)));
    } else {
      return worst_number;
    }
  }
  // A number beats any NaN, and any number that it exceeds in the wanted direction.
  [[nodiscard]] __device__ static bool beats(const T& challenger, const T& best) {
    const auto a = static_cast<compared>(challenger);
    const auto b = static_cast<compared>(best);
    if constexpr (is_floating<T>) {
      const bool is_behind = wanted == extreme::largest ? a <= b : a >= b;
      return !is_behind && a == a;
    } else {
      return wanted == extreme::largest ? a > b : a < b;
    }
  }
};

// Greater than the index of any element, because indices are unsigned.
template <typename Index>
inline constexpr Index nowhere = ~Index{0};

template <extreme wanted>
struct take_better {
  template <typename T, typename Index>
  __device__ indexed<T, Index> operator()(const indexed<T, Index>& a,
                                          const indexed<T, Index>& b) const {
    const bool b_wins = better<wanted, T>::beats(b.value, a.value);
    const bool a_wins = better<wanted, T>::beats(a.value, b.value);
    const bool takes_b = b_wins || (b.index < a.index && !a_wins);
    return {takes_b ? b.value : a.value, takes_b ? b.index : a.index};
  }
  template <typename T, typename Index>
  __device__ indexed<T, Index> over_warp(const indexed<T, Index>& mine) const {
    if constexpr (wanted == extreme::largest) {
      return warp::arg_max(mine.value, mine.index);
    } else {
      return warp::arg_min(mine.value, mine.index);
    }
  }
};

//   Index     unsigned, 32 or 64 bits
template <extreme wanted, typename T, typename Index>
struct extreme_fold {
  // The best element so far, and the step at which it was read.
  struct running {
    T value;
    std::uint32_t step;
  };
  using state = indexed<T, Index>;
  take_better<wanted> merge;

  __device__ running start() const { return {better<wanted, T>::worst(), 0}; }
  __device__ void take(running& best, const T& element, std::uint32_t step) const {
    const bool is_better = better<wanted, T>::beats(element, best.value);
    best.value = is_better ? element : best.value;
    best.step = is_better ? step : best.step;
  }
  // If nothing has beaten the start value, all elements tie with it, and the first one counts.
  template <int length, typename OwnLoads>
  __device__ state close(const running (&best)[length], const OwnLoads& own) const {
    // Elements are ordered by step, and within a step by place.
    T value = best[0].value;
    std::uint32_t step = best[0].step;
    int at = 0;
#pragma unroll
    for (int place = 1; place < length; ++place) {
      const bool wins = better<wanted, T>::beats(best[place].value, value);
      const bool loses = better<wanted, T>::beats(value, best[place].value);
      const bool is_taken = wins || (best[place].step < step && !loses);
      value = is_taken ? best[place].value : value;
      step = is_taken ? best[place].step : step;
      at = is_taken ? place : at;
    }
    return {value, own.has_any() ? static_cast<Index>(own.element_at(step) + at) : nowhere<Index>};
  }
  __device__ state single(const T& element, std::int64_t index) const {
    return {element, static_cast<Index>(index)};
  }
  __device__ void finish(const state& best, indexed<T, std::int64_t>* result) const {
    *result = {best.value,
               best.index == nowhere<Index> ? -1 : static_cast<std::int64_t>(best.index)};
  }
};

template <extreme wanted, typename Tuning, typename Input>
void find_extreme(workspace& workspace, const Input& input, std::int64_t count,
                  indexed<element_of<Input>, std::int64_t>* result, source_location where) {
  using element = element_of<Input>;
  if (count < 0) throw error(cudaErrorInvalidValue, "a range has no negative count", where);
  // 32-bit indices halve the index traffic within warps and between blocks.
  if (count < std::int64_t{1} << 31) {
    fold_range<Tuning>(workspace, input, count, extreme_fold<wanted, element, std::uint32_t>{},
                       result, where);
  } else {
    fold_range<Tuning>(workspace, input, count, extreme_fold<wanted, element, std::uint64_t>{},
                       result, where);
  }
}

}  // namespace detail

// The contract of both functions here:
//   called by   one host thread; everything runs in the workspace's stream, in one launch, and can
//               be captured in a graph
//   input       numbers in device memory, of any alignment, or an iterator; `count` may be above
//               2^31
//   result      device memory; written once
//   empty       gives the index -1
//   order       among equal values the smallest index wins; -0 and +0 are equal. A NaN loses to any
//               number; if all are NaN, the result is a NaN with the smallest index
//   cost        the time to read the input once

// The largest element of a range and its index.
template <typename Tuning = fold_tuning, readable Input>
requires is_number<element_of<Input>>
void arg_max(workspace& workspace, const Input& input, std::int64_t count,
             indexed<element_of<Input>, std::int64_t>* result,
             source_location where = source_location::current()) {
  detail::find_extreme<detail::extreme::largest, Tuning>(workspace, input, count, result, where);
}

// The smallest element of a range and its index.
template <typename Tuning = fold_tuning, readable Input>
requires is_number<element_of<Input>>
void arg_min(workspace& workspace, const Input& input, std::int64_t count,
             indexed<element_of<Input>, std::int64_t>* result,
             source_location where = source_location::current()) {
  detail::find_extreme<detail::extreme::smallest, Tuning>(workspace, input, count, result, where);
}

}  // namespace heddle::device

template <heddle::device::detail::extreme wanted, typename T, typename Index>
struct heddle::identity_of<heddle::device::detail::take_better<wanted>,
                           heddle::device::indexed<T, Index>> {
  __device__ static heddle::device::indexed<T, Index> value() {
    return {heddle::device::detail::better<wanted, T>::worst(),
            heddle::device::detail::nowhere<Index>};
  }
};
template <heddle::device::detail::extreme wanted, typename T, typename Index>
inline constexpr bool heddle::commutes<heddle::device::detail::take_better<wanted>,
                                       heddle::device::indexed<T, Index>> = true;
