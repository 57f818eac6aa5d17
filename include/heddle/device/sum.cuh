// The sum of a range: plain, or with compensation for rounding errors.
//   strategy    as reduce()
//   needs       sm_75; clusters and early start sm_90
#pragma once
#include <heddle/core/compensated.cuh>
#include <heddle/device/fold_tuning.cuh>
#include <heddle/device/reduce.cuh>
#include <heddle/device/reduce/fold.cuh>

#include <cstdint>
#include <type_traits>

namespace heddle::device {

// The sum of a range, computed in T; for half and bfloat16 in float, and rounded once. A float
// result receives the sum of half or bfloat16 unrounded.
//   contract    as reduce() with plus; the empty sum is 0
template <typename Tuning = fold_tuning, readable Input, typename T>
requires is_number<T>
void sum(workspace& workspace, const Input& input, std::int64_t count, T* result,
         source_location where = source_location::current()) {
  reduce<Tuning>(workspace, input, count, result, plus{}, where);
}

namespace detail {

template <typename T>
struct compensated_fold {
  using running = compensated<T>;
  using state = compensated<T>;
  plus merge;

  __device__ running start() const { return {}; }
  template <typename Element>
  __device__ void take(running& value, const Element& element, std::uint32_t) const {
    value.add(static_cast<T>(element));
  }
  template <int length, typename OwnLoads>
  __device__ state close(const running (&values)[length], const OwnLoads&) const {
    return merge_places(values, merge);
  }
  template <typename Element>
  __device__ state single(const Element& element, std::int64_t) const {
    return {static_cast<T>(element), 0};
  }
  template <typename Result>
  __device__ void finish(const state& value, Result* result) const {
    *result = static_cast<Result>(value.value());
  }
  __device__ void finish(const state& value, state* result) const { *result = value; }
};

}  // namespace detail

// A compensated sum: accurate to about twice the digits of T, then rounded once. Sums of half and
// bfloat16 are computed in float.
//   contract    as sum(); infinities and NaN give what plain addition gives
//   cost        seven additions per element, hidden behind the same memory traffic as sum()
template <typename Tuning = fold_tuning, readable Input, typename T>
requires is_floating<T>
void compensated_sum(workspace& workspace, const Input& input, std::int64_t count, T* result,
                     source_location where = source_location::current()) {
  if (count < 0) throw error(cudaErrorInvalidValue, "a range has no negative count", where);
  detail::fold_range<Tuning>(workspace, input, count, detail::compensated_fold<accumulator<T>>{},
                             result, where);
}
// The same sum before rounding, to be merged with others.
template <typename Tuning = fold_tuning, readable Input, typename T>
void compensated_sum(workspace& workspace, const Input& input, std::int64_t count,
                     compensated<T>* result, source_location where = source_location::current()) {
  if (count < 0) throw error(cudaErrorInvalidValue, "a range has no negative count", where);
  detail::fold_range<Tuning>(workspace, input, count, detail::compensated_fold<T>{}, result, where);
}

}  // namespace heddle::device
