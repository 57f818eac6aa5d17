// What the elements of an array up to each element make together: scans of any length in one
// kernel.
//   strategy    one pass with decoupled look-back: a block scans a tile and learns what stands
//               before it from the tiles before; up to 8 KiB one block
//   needs       sm_75; bulk copies and early start sm_90
#pragma once
#include <heddle/core/operators.cuh>
#include <heddle/core/words.cuh>
#include <heddle/device/iterators.cuh>
#include <heddle/device/scan_launch.cuh>
#include <heddle/device/workspace.cuh>

#include <cstdint>
#include <type_traits>

namespace heddle::device {

namespace detail {

struct no_mark {};

// A scan of all elements, as the kernels see it.
template <readable Input, typename Output, typename Op, bool is_exclusive>
struct whole_scan {
  using value = element_of<Input>;
  using mark = no_mark;
  using item = carried<value, Op>;
  using combine = Op;
  static constexpr bool has_marks = false;
  static constexpr bool needs_previous = false;

  Input values;
  no_mark marks;
  Output output;
  std::int64_t count;
  Op op;
  bool has_initial;
  item initial;

  [[nodiscard]] __device__ item make(const value& value, no_mark, no_mark, bool) const {
    return static_cast<item>(value);
  }
  [[nodiscard]] __device__ value result(const item& before, const item&,
                                        const item& including) const {
    return static_cast<value>(is_exclusive ? before : including);
  }
};

template <readable Input, typename Op>
inline constexpr bool can_be_scanned =
    exchangeable<element_of<Input>>&& combines<Op, element_of<Input>>;

template <bool is_exclusive, readable Input, typename Output, typename Op>
void scan_all(workspace& work, Input input, Output output, std::int64_t count, Op op,
              bool has_initial, const element_of<Input>& initial, source_location where) {
  using problem = whole_scan<Input, Output, Op, is_exclusive>;
  static_assert(std::is_default_constructible_v<typename problem::item>,
                "the elements of a scan need a default constructor");
  launch_scan(
      work,
      problem{
          input, {}, output, count, op, has_initial, static_cast<typename problem::item>(initial)},
      where);
}

}  // namespace detail

// The contract of all scans:
//   called by   the host; returns before the result is there, which comes in the order of the
//               workspace's stream
//   input       a pointer to device memory or an iterator: input[index] is element `index`, of at
//               most 64 bytes that may be copied as bits. Pointers are read faster
//   output      a pointer to device memory or an iterator; the input itself, or apart from it. It
//               holds count elements
//   count       0 or more; beyond 2^31, too
//   op          associative; need not commute, and needs no identity but for exclusive_scan(). It
//               sees elements of the input and what was made of them, nothing else
//   order       a fixed tree for each element, which depends on the type, on how long the input is
//               for that device, and on the architecture that the code was compiled for only: the
//               same bits on every run, for every alignment and however many blocks run. Sums and
//               products of half and bfloat16 are built in float and rounded once for each result
//   cost        one kernel; each element is read and written once. Up to 8 KiB are the work of one
//               block, up to 8 MiB (4 of elements under 4 bytes) of as many as are needed to hold
//               all of it at once; above that blocks take tiles of 20 KiB (16). The workspace keeps
//               8 bytes for each tile and 4 bytes of T, half of them a tag
//   capture     as of the workspace; a replayed graph scans what is in memory then

// Each element becomes what the elements up to and including itself make.
template <readable Input, typename Output, typename Op = plus>
requires detail::can_be_scanned<Input, Op>
void inclusive_scan(workspace& work, Input input, Output output, std::int64_t count, Op op = {},
                    source_location where = source_location::current()) {
  using value = element_of<Input>;
  detail::scan_all<false>(work, input, output, count, op, false, detail::zero_bits<value>(), where);
}

// The same with `initial` before the first element.
template <readable Input, typename Output, typename Op = plus>
requires detail::can_be_scanned<Input, Op>
void inclusive_scan_from(workspace& work, const element_of<Input>& initial, Input input,
                         Output output, std::int64_t count, Op op = {},
                         source_location where = source_location::current()) {
  detail::scan_all<false>(work, input, output, count, op, true, initial, where);
}

// Each element becomes what the elements before it make, the first one the identity of op.
template <readable Input, typename Output, typename Op = plus>
requires detail::can_be_scanned<Input, Op> && has_identity<Op, element_of<Input>>
void exclusive_scan(workspace& work, Input input, Output output, std::int64_t count, Op op = {},
                    source_location where = source_location::current()) {
  using value = element_of<Input>;
  detail::scan_all<true>(work, input, output, count, op, true, identity<Op, value>(), where);
}

// The same with `initial` before the first element.
template <readable Input, typename Output, typename Op = plus>
requires detail::can_be_scanned<Input, Op>
void exclusive_scan_from(workspace& work, const element_of<Input>& initial, Input input,
                         Output output, std::int64_t count, Op op = {},
                         source_location where = source_location::current()) {
  detail::scan_all<true>(work, input, output, count, op, true, initial, where);
}

}  // namespace heddle::device
