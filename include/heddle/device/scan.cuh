// Prefix scans of any length in one kernel.
//   strategy    one pass with decoupled look-back: a block scans a tile and gets its prefix from
//               the tiles before it; one block for up to 8 KiB
//   needs       sm_75; bulk copies and early start sm_90
#pragma once
#include <heddle/core/operators.cuh>
#include <heddle/core/words.cuh>
#include <heddle/device/iterators.cuh>
#include <heddle/device/scan/launch.cuh>
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
              bool has_initial, const combined_type<Input, Op, Output>& initial,
              source_location where) {
  const auto combined = as_combined<Op, Output>(input);
  using problem = whole_scan<std::remove_const_t<decltype(combined)>, Output, Op, is_exclusive>;
  static_assert(std::is_default_constructible_v<typename problem::item>,
                "the elements of a scan need a default constructor");
  launch_scan(work,
              problem{combined,
                      {},
                      output,
                      count,
                      op,
                      has_initial,
                      static_cast<typename problem::item>(initial)},
              where);
}

}  // namespace detail

// The contract of all scans:
//   called by   the host; asynchronous: the result is ready in the order of the workspace's stream
//   input       a pointer to device memory or an iterator: input[index] is element `index`, of at
//               most 64 bytes that may be copied as bits. Pointers are read faster
//   output      a pointer to device memory or an iterator, with room for `count` elements; either
//               the input itself or disjoint from it
//   count       0 or more; may be above 2^31
//   op          associative; need not commute, and needs an identity only for exclusive_scan(). It
//               is called only with elements of the input, the initial value and combinations of
//               them. Sums and products of numbers use the wider type of input and output: bytes
//               add up in int if the output is int. A narrower input is then read element by
//               element, and `initial` has the wider type
//   order       a fixed tree for each element. It depends only on the type, on the input's length
//               relative to the device, and on the architecture that the code was compiled for: the
//               same bits on every run, for every alignment and any number of running blocks. Sums
//               and products of half and bfloat16 are computed in float and rounded once per result
//   cost        one kernel; each element is read and written once. One block scans up to 8 KiB; up
//               to 8 MiB (4 for elements under 4 bytes), as many blocks as it takes to hold
//               everything at once. Above that, blocks take tiles of 20 KiB (40 for elements over 4
//               bytes). For every 4 bytes of T the workspace keeps 8 bytes per tile, half of them a
//               tag
//   capture     as for the workspace; a replayed graph scans what is in memory then

// Each element becomes what the elements up to and including itself make.
template <readable Input, typename Output, typename Op = plus>
requires detail::can_be_scanned<Input, Op>
void inclusive_scan(workspace& work, Input input, Output output, std::int64_t count, Op op = {},
                    source_location where = source_location::current()) {
  using value = detail::combined_type<Input, Op, Output>;
  detail::scan_all<false>(work, input, output, count, op, false, detail::zero_bits<value>(), where);
}

// As above, with `initial` before the first element.
template <readable Input, typename Output, typename Op = plus>
requires detail::can_be_scanned<Input, Op>
void inclusive_scan_from(workspace& work, const detail::combined_type<Input, Op, Output>& initial,
                         Input input, Output output, std::int64_t count, Op op = {},
                         source_location where = source_location::current()) {
  detail::scan_all<false>(work, input, output, count, op, true, initial, where);
}

// Each element becomes the combination of all elements before it; the first becomes the identity of
// op.
template <readable Input, typename Output, typename Op = plus>
requires detail::can_be_scanned<Input, Op> &&
    has_identity<Op, detail::combined_type<Input, Op, Output>>
void exclusive_scan(workspace& work, Input input, Output output, std::int64_t count, Op op = {},
                    source_location where = source_location::current()) {
  using value = detail::combined_type<Input, Op, Output>;
  detail::scan_all<true>(work, input, output, count, op, true, identity<Op, value>(), where);
}

// As above, starting from `initial`.
template <readable Input, typename Output, typename Op = plus>
requires detail::can_be_scanned<Input, Op>
void exclusive_scan_from(workspace& work, const detail::combined_type<Input, Op, Output>& initial,
                         Input input, Output output, std::int64_t count, Op op = {},
                         source_location where = source_location::current()) {
  detail::scan_all<true>(work, input, output, count, op, true, initial, where);
}

}  // namespace heddle::device
