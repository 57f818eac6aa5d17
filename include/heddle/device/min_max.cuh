// Finds the smallest and the largest element of a range in one pass.
//   strategy    as reduce(), over pairs
//   needs       sm_75; clusters and early start sm_90
#pragma once
#include <heddle/device/fold_tuning.cuh>
#include <heddle/device/reduce/fold.cuh>

#include <cstdint>

namespace heddle::device {

// The smallest and the largest element.
template <typename T>
struct extremes {
  T smallest;
  T largest;
};

namespace detail {

struct widen {
  template <typename T>
  __device__ extremes<T> operator()(const extremes<T>& a, const extremes<T>& b) const {
    return {minimum{}(a.smallest, b.smallest), maximum{}(a.largest, b.largest)};
  }
};

template <typename T>
struct extremes_fold {
  using running = extremes<T>;
  using state = extremes<T>;
  widen merge;

  __device__ running start() const { return {identity<minimum, T>(), identity<maximum, T>()}; }
  __device__ void take(running& both, const T& element, std::uint32_t) const {
    both = merge(both, {element, element});
  }
  template <int length, typename OwnLoads>
  __device__ state close(const running (&values)[length], const OwnLoads&) const {
    return merge_places(values, merge);
  }
  __device__ state single(const T& element, std::int64_t) const { return {element, element}; }
  __device__ void finish(const state& both, state* result) const { *result = both; }
};

}  // namespace detail

// The smallest and the largest element of a range.
//   called by   one host thread; runs in the workspace's stream, in one launch, and can be captured
//               in a graph
//   input       numbers in device memory, of any alignment, or an iterator; `count` may be above
//               2^31
//   result      device memory; written once
//   empty       gives the identities of minimum and maximum: `smallest` is the upper end of T's
//               range, `largest` the lower
//   order       as minimum and maximum: NaNs are ignored, a range of only NaNs counts as empty, and
//               -0 is smaller than +0
//   cost        the time to read the input once
template <typename Tuning = fold_tuning, readable Input>
requires is_number<element_of<Input>>
void min_max(workspace& workspace, const Input& input, std::int64_t count,
             extremes<element_of<Input>>* result,
             source_location where = source_location::current()) {
  if (count < 0) throw error(cudaErrorInvalidValue, "a range has no negative count", where);
  detail::fold_range<Tuning>(workspace, input, count, detail::extremes_fold<element_of<Input>>{},
                             result, where);
}

}  // namespace heddle::device

template <typename T>
struct heddle::identity_of<heddle::device::detail::widen, heddle::device::extremes<T>> {
  __device__ static heddle::device::extremes<T> value() {
    return {heddle::identity<heddle::minimum, T>(), heddle::identity<heddle::maximum, T>()};
  }
};
template <typename T>
inline constexpr bool heddle::commutes<heddle::device::detail::widen, heddle::device::extremes<T>> =
    true;
