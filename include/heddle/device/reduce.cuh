// Reduces a range to one value with any associative operator, optionally after a map.
//   strategy    one kernel: threads stride over the input with vector loads, blocks combine in two
//               levels, and the last block, or one cluster, combines what the blocks leave
//   needs       sm_75; clusters and early start sm_90
#pragma once
#include <heddle/core/operators.cuh>
#include <heddle/device/fold_tuning.cuh>
#include <heddle/device/reduce/fold.cuh>
#include <heddle/device/reduce/ordered.cuh>

#include <cstdint>
#include <type_traits>

namespace heddle::device {

// The identity map.
struct unchanged {
  template <typename T>
  __host__ __device__ constexpr const T& operator()(const T& value) const {
    return value;
  }
};

namespace detail {

// Maps and combines elements as they arrive, in T.
template <typename T, typename Op, typename Map>
struct combining_fold {
  using running = T;
  using state = T;
  Op merge;
  Map map;
  initial_value<T> initial;

  __device__ T start() const { return identity<Op, T>(); }
  template <typename Element>
  __device__ void take(T& value, const Element& element, std::uint32_t) const {
    value = merge(value, static_cast<T>(map(element)));
  }
  template <int length, typename OwnLoads>
  __device__ T close(const T (&values)[length], const OwnLoads&) const {
    return merge_places(values, merge);
  }
  template <typename Element>
  __device__ T single(const Element& element, std::int64_t) const {
    return static_cast<T>(map(element));
  }
  template <typename Result>
  __device__ void finish(const T& value, Result* result) const {
    *result = static_cast<Result>(initial.exists ? merge(initial.value, value) : value);
  }
};

template <typename Tuning, typename Input, typename T, typename Op, typename Map>
void reduce_from(workspace& workspace, const Input& input, std::int64_t count, T* result,
                 const Op& op, const Map& map, const initial_value<carried<T, Op>>& initial,
                 source_location where) {
  using value = carried<T, Op>;
  constexpr bool is_foldable = std::conjunction_v<std::bool_constant<commutes<Op, value>>,
                                                  std::bool_constant<has_identity<Op, value>>>;
  if (count < 0) throw error(cudaErrorInvalidValue, "a range has no negative count", where);
  if constexpr (is_foldable) {
    fold_range<Tuning>(workspace, input, count, combining_fold<value, Op, Map>{op, map, initial},
                       result, where);
  } else {
    initial_value<value> start = initial;
    if (count == 0 && !initial.exists) {
      if constexpr (has_identity<Op, value>) {
        start = {identity<Op, value>(), true};
      } else {
        throw error(cudaErrorInvalidValue,
                    "a reduction of nothing needs an initial value or an operator with an identity",
                    where);
      }
    }
    combine_in_order(workspace, input, count, map, op, start, result, where);
  }
}

}  // namespace detail

// The contract of all functions here:
//   called by   one host thread; everything runs in the workspace's stream, in one launch, and can
//               be captured in a graph
//   input       device memory, of any alignment, or an iterator of iterators.cuh; `count` may be
//               above 2^31
//   result      device memory; *result is written once and not read. It may not overlap the input.
//               T is trivially copyable, has a default constructor and at most 64 bytes
//   op          associative; need not commute and needs no identity. Elements are converted to T
//               first and combined in T; sums and products of half and bfloat16 use float
//   empty       gives the initial value, otherwise op's identity; throws heddle::error if there is
//               neither
//   order       that of the elements; any order for an operator that is known to commute and has an
//               identity. The order is fixed for a given count, device, tuning and input address
//               modulo 16, so floating-point sums have the same bits on every run
//   cost        the time to read the input once; pointers are read 16 bytes at a time

// Combines the elements of a range.
template <typename Tuning = fold_tuning, readable Input, typename T, combines<T> Op>
void reduce(workspace& workspace, const Input& input, std::int64_t count, T* result, Op op,
            source_location where = source_location::current()) {
  detail::reduce_from<Tuning>(workspace, input, count, result, op, unchanged{}, {}, where);
}
// As above, with a value before the first element.
template <typename Tuning = fold_tuning, readable Input, typename T, combines<T> Op>
void reduce(workspace& workspace, const Input& input, std::int64_t count, T* result, Op op,
            std::type_identity_t<T> initial, source_location where = source_location::current()) {
  detail::reduce_from<Tuning>(workspace, input, count, result, op, unchanged{},
                              {static_cast<carried<T, Op>>(initial), true}, where);
}

// Combines map(element) for all elements; `map` has `__device__ … operator()(element) const`.
template <typename Tuning = fold_tuning, readable Input, typename T, combines<T> Op, typename Map>
requires std::invocable < const Map&, const element_of<Input>
& > void transform_reduce(workspace& workspace, const Input& input, std::int64_t count, T* result,
                          Op op, Map map, source_location where = source_location::current()) {
  detail::reduce_from<Tuning>(workspace, input, count, result, op, map, {}, where);
}
template <typename Tuning = fold_tuning, readable Input, typename T, combines<T> Op, typename Map>
requires std::invocable < const Map&, const element_of<Input>
& > void transform_reduce(workspace& workspace, const Input& input, std::int64_t count, T* result,
                          Op op, Map map, std::type_identity_t<T> initial,
                          source_location where = source_location::current()) {
  detail::reduce_from<Tuning>(workspace, input, count, result, op, map,
                              {static_cast<carried<T, Op>>(initial), true}, where);
}

}  // namespace heddle::device
