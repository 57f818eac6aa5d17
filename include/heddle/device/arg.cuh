// The largest or smallest element of a range, and where it stands.
#pragma once
#include <heddle/device/fold.cuh>
#include <heddle/warp/arg.cuh>

#include <cstdint>

namespace heddle::device {

using warp::indexed;

namespace detail {

using warp::detail::extreme;

// Which of two numbers is taken; a NaN loses against any number, and nothing else is better or
// worse than an equal one.
template <extreme wanted, typename T>
struct better {
  using compared = accumulator<T>;
  static constexpr compared worst_number = wanted == extreme::largest
                                               ? heddle::detail::lower_end<compared>
                                               : heddle::detail::upper_end<compared>;

  // Loses against every number that can win; what does not win against it is equal to it.
  [[nodiscard]] __device__ static T worst() {
    if constexpr (is_floating<T>) {
      return static_cast<T>(static_cast<compared>(__int_as_float(0x7fffffff)));
    } else {
      return worst_number;
    }
  }
  [[nodiscard]] __device__ static bool beats(const T& challenger, const T& best) {
    const auto a = static_cast<compared>(challenger);
    const auto b = static_cast<compared>(best);
    const bool is_beyond = wanted == extreme::largest ? a > b : a < b;
    if constexpr (is_floating<T>) {
      return is_beyond || (b != b && a == a);
    } else {
      return is_beyond;
    }
  }
};

inline constexpr std::int64_t nowhere = -1;

template <extreme wanted>
struct take_better {
  template <typename T>
  __device__ indexed<T, std::int64_t> operator()(const indexed<T, std::int64_t>& a,
                                                 const indexed<T, std::int64_t>& b) const {
    // As numbers without sign, nowhere is behind every index.
    const bool b_is_earlier =
        static_cast<std::uint64_t>(b.index) < static_cast<std::uint64_t>(a.index);
    const bool b_wins = better<wanted, T>::beats(b.value, a.value);
    const bool a_wins = better<wanted, T>::beats(a.value, b.value);
    return b_wins || (b_is_earlier && !a_wins) ? b : a;
  }
};

template <extreme wanted, typename T>
struct extreme_fold {
  // The best element so far, and the step that brought it.
  struct running {
    T value;
    std::uint32_t step;
  };
  using state = indexed<T, std::int64_t>;
  take_better<wanted> merge;

  __device__ running start() const { return {better<wanted, T>::worst(), 0}; }
  __device__ void take(running& best, const T& element, std::uint32_t step) const {
    const bool is_better = better<wanted, T>::beats(element, best.value);
    best.value = is_better ? element : best.value;
    best.step = is_better ? step : best.step;
  }
  // Where nothing has won against the start, all elements are equal to it, and the first counts.
  template <typename OwnLoads>
  __device__ state close(const running& best, const OwnLoads& own, int place) const {
    return {best.value, own.has_any() ? own.element_at(best.step) + place : nowhere};
  }
  __device__ state single(const T& element, std::int64_t index) const { return {element, index}; }
  __device__ void finish(const state& best, state* result) const { *result = best; }
};

}  // namespace detail

// The contract of both functions here:
//   called by   one host thread; everything runs in the workspace's stream, in one launch, and can
//               be captured in a graph
//   input       numbers in device memory, of any alignment, or an iterator; `count` may be above
//               2^31
//   result      device memory; written once
//   empty       gives the index -1
//   order       of equal values that with the smallest index is taken; -0 and +0 are equal. A NaN
//               loses against any number; if all are NaN, the result is a NaN with the smallest
//               index
//   cost        the time to read the input once

// The largest element of a range and its index.
template <typename Tuning = fold_tuning, readable Input>
requires is_number<element_of<Input>>
void arg_max(workspace& workspace, const Input& input, std::int64_t count,
             indexed<element_of<Input>, std::int64_t>* result,
             source_location where = source_location::current()) {
  if (count < 0) throw error(cudaErrorInvalidValue, "a range has no negative count", where);
  using fold = detail::extreme_fold<detail::extreme::largest, element_of<Input>>;
  fold_range<Tuning>(workspace, input, count, fold{}, result);
}

// The smallest element of a range and its index.
template <typename Tuning = fold_tuning, readable Input>
requires is_number<element_of<Input>>
void arg_min(workspace& workspace, const Input& input, std::int64_t count,
             indexed<element_of<Input>, std::int64_t>* result,
             source_location where = source_location::current()) {
  if (count < 0) throw error(cudaErrorInvalidValue, "a range has no negative count", where);
  using fold = detail::extreme_fold<detail::extreme::smallest, element_of<Input>>;
  fold_range<Tuning>(workspace, input, count, fold{}, result);
}

}  // namespace heddle::device

template <heddle::device::detail::extreme wanted, typename T>
struct heddle::identity_of<heddle::device::detail::take_better<wanted>,
                           heddle::device::indexed<T, std::int64_t>> {
  __device__ static heddle::device::indexed<T, std::int64_t> value() {
    return {heddle::device::detail::better<wanted, T>::worst(), heddle::device::detail::nowhere};
  }
};
template <heddle::device::detail::extreme wanted, typename T>
inline constexpr bool heddle::commutes<heddle::device::detail::take_better<wanted>,
                                       heddle::device::indexed<T, std::int64_t>> = true;
