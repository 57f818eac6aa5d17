// Splits a block into groups by label, each with its own reduction, extreme and scan.
//   strategy    a match groups the lanes of each warp by label; each warp combines its groups, and
//               the warps' results are combined through shared memory
//   needs       sm_75
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/group/arg.cuh>
#include <heddle/group/split.cuh>
#include <heddle/group/tree.cuh>
#include <heddle/warp/match.cuh>

namespace heddle::group {

// The shared memory of the collectives here:
//   __shared__ group::labelled_scratch<float, 4> scratch;
// It may be reused immediately. `threads` is the maximum size of the block.
template <exchangeable T, int labels, int threads = 1024>
class labelled_scratch {
  static_assert(labels >= 1 && labels <= 1024, "a block splits into 1 to 1024 groups");
  static_assert(threads >= 1 && threads <= 1024, "a block has 1 to 1024 threads");

 public:
  // The number of warps of the largest block, and the type in which values are combined.
  static constexpr int warps = (threads + warp_size - 1) / warp_size;
  using held = accumulator<T>;
  static_assert((2 * labels + 1) * 4 + warps * warp_size * static_cast<int>(sizeof(held)) <=
                    heddle::detail::most_static_bytes,
                "this scratch needs more than the 48 KiB of static shared memory that a block may "
                "have: name a smaller block, or use smaller values");

  // The warps in which a label occurs: bit i stands for warp i.
  std::uint32_t found_in[labels];
  // A warp has at most as many different labels as lanes. Up to 32 labels have a slot each in every
  // warp's row. If there are more, a label gets one slot for each warp that it occurs in, from
  // `first_slot` on.
  static constexpr bool has_rows = labels <= warp_size;
  int first_slot[has_rows ? 1 : labels];
  int slots_taken;

  // The slot of a label in a warp, and the value in a slot.
  [[nodiscard]] __device__ int slot_of(int label, int warp) const {
    if constexpr (has_rows) {
      return warp * labels + label;
    } else {
      return first_slot[label] + rank(found_in[label], warp);
    }
  }
  [[nodiscard]] __device__ held& slot(int index) { return reinterpret_cast<held*>(slots_)[index]; }

 private:
  // Bytes, because T may have a constructor and shared variables may not.
  alignas(held) unsigned char slots_[warps * warp_size * sizeof(held)];
};

namespace detail {

// Stores the results of the parts of all warps. Afterwards every thread may read the slots of its
// label.
//   called by   every thread of the block; `is_bringer` is true in one lane of each part, which
//               stores `value`
template <typename Value, typename T, int labels, int threads>
__device__ inline void bring_to_label(int label, const Value& value, bool is_bringer,
                                      labelled_scratch<T, labels, threads>& scratch) {
  using held = accumulator<T>;
  constexpr bool has_rows = labelled_scratch<T, labels, threads>::has_rows;
  const int warp = warp_rank();
  for (int cleared = thread_rank(); cleared < labels; cleared += block_size()) {
    scratch.found_in[cleared] = 0;
  }
  if (thread_rank() == 0) scratch.slots_taken = 0;
  __syncthreads();
  if (is_bringer) atomicOr(&scratch.found_in[label], std::uint32_t{1} << warp);
  if constexpr (!has_rows) {
    __syncthreads();
    const std::uint32_t found_in = scratch.found_in[label];
    if (is_bringer && first_lane(found_in) == warp) {
      scratch.first_slot[label] = atomicAdd(&scratch.slots_taken, count(found_in));
    }
    __syncthreads();
  }
  if (is_bringer) scratch.slot(scratch.slot_of(label, warp)) = static_cast<held>(value);
  __syncthreads();
}

// Folds the slots of a label over the warps in `some`, at least one, in their order.
template <typename Value, typename Op, typename T, int labels, int threads>
__device__ inline Value fold_label(int label, std::uint32_t some, const Op& op,
                                   labelled_scratch<T, labels, threads>& scratch) {
  Value folded = static_cast<Value>(scratch.slot(scratch.slot_of(label, first_lane(some))));
  for (some &= some - 1; some != 0; some &= some - 1) {
    const int slot = scratch.slot_of(label, first_lane(some));
    folded = op(folded, static_cast<Value>(scratch.slot(slot)));
  }
  return folded;
}

enum class row_result { total, prefixes };

// Combines the warps' results for each label. One warp does a label; each of its lanes stands for a
// warp. Afterwards the first row holds the label's total, or each row the result of the warps up to
// it.
//   called by   every thread of a block of several warps
template <row_result kind, typename Value, typename Op, typename T, int labels, int threads>
__device__ inline void combine_rows(const Op& op, labelled_scratch<T, labels, threads>& scratch) {
  const int whole_warps = block_size() / warp_size;
  const int lane = lane_id();
  int label = warp_rank() < whole_warps ? warp_rank() : labels;
#pragma unroll 1
  for (; agreed(label < labels); label += whole_warps) {
    const std::uint32_t found_in = scratch.found_in[label];
    if (!agreed(found_in != 0)) continue;
    // Lanes without a value take part with the first one's; their results are not used.
    const int from = contains(found_in, lane) ? lane : first_lane(found_in);
    const auto own = static_cast<Value>(scratch.slot(scratch.slot_of(label, from)));
    __syncwarp();  // all lanes read before some write; the scan's shuffles do not order that
    const Value up_to_own = scan_blocks(found_in, all_lanes, own, op);
    if constexpr (kind == row_result::total) {
      if (lane == last_lane(found_in)) scratch.slot(scratch.slot_of(label, 0)) = up_to_own;
    } else {
      if (contains(found_in, lane)) scratch.slot(scratch.slot_of(label, lane)) = up_to_own;
    }
  }
  __syncthreads();
}

template <int labels, typename Scratch>
__device__ inline part part_of_label(int label, const Scratch& scratch) {
  HEDDLE_EXPECTS(label >= 0 && label < labels, "a label is 0 … labels - 1");
  HEDDLE_EXPECTS(warp_count() <= scratch.warps, "this scratch is for blocks of fewer threads");
  // All lanes are named; those without a thread are not waited for.
  return part_of(all_lanes, warp::match_any(label));
}

// What earlier warps contribute to a scan over a label's threads.
template <typename T>
struct label_prefix {
  T before;  // the result of the warps before the caller's, if there are any
  bool exists;
};

template <typename Value, typename Op, typename T, int labels, int threads>
__device__ inline label_prefix<Value> scan_label(const part& mine, int label,
                                                 const Value& including, const Op& op,
                                                 labelled_scratch<T, labels, threads>& scratch) {
  if (block_size() <= warp_size) return {including, false};
  bring_to_label(label, including, lane_id() == last_lane(mine.mask), scratch);
  constexpr bool has_rows = labelled_scratch<T, labels, threads>::has_rows;
  if constexpr (has_rows) combine_rows<row_result::prefixes, Value>(op, scratch);
  const std::uint32_t earlier = prefix(scratch.found_in[label], warp_rank());
  label_prefix<Value> found{including, earlier != 0};
  if (earlier != 0) {
    if constexpr (has_rows) {
      const int slot = scratch.slot_of(label, last_lane(earlier));
      found.before = static_cast<Value>(scratch.slot(slot));
    } else {
      found.before = fold_label<Value>(label, earlier, op, scratch);
    }
  }
  __syncthreads();  // before the scratch is reused
  return found;
}

}  // namespace detail

// The contract of all functions here:
//   called by   every thread of the block, which may have any shape and size
//   label       0 … labels - 1; threads with the same label form a group, wherever they are in the
//               block
//   op          associative; need not commute: values are combined in the order of thread_rank()
//   order       sums and products of half and bfloat16 are accumulated in float and rounded once
//   scratch     in shared memory; may be reused immediately
//   cost        one match, then that of reduce() or a scan in a part of a warp. Blocks of several
//               warps also take one or two shared atomics for each label in a warp, and three
//               barriers (scans four, more than 32 labels five). Between the barriers one warp
//               combines the results of all warps for a label. With more than 32 labels, each
//               thread folds the results of the warps in which its label occurs, one after the
//               other

// Combines the values of each label's threads.
//   result in   every thread: the result of its label, bit for bit the same in all
template <exchangeable T, combines<T> Op, int labels, int threads>
[[nodiscard]] __device__ T labelled_reduce(int label, T value, Op op,
                                           labelled_scratch<T, labels, threads>& scratch) {
  using carried = detail::carried<T, Op>;
  const part mine = detail::part_of_label<labels>(label, scratch);
  const carried of_part = detail::reduce_lanes(mine, static_cast<carried>(value), op);
  if (block_size() <= warp_size) return static_cast<T>(of_part);
  detail::bring_to_label(label, of_part, mine.rank() == 0, scratch);
  if constexpr (labelled_scratch<T, labels, threads>::has_rows) {
    // The next user of the scratch writes no slot before another barrier.
    detail::combine_rows<detail::row_result::total, carried>(op, scratch);
    return static_cast<T>(scratch.slot(scratch.slot_of(label, 0)));
  } else {
    const auto folded = detail::fold_label<carried>(label, scratch.found_in[label], op, scratch);
    __syncthreads();  // before the scratch is reused
    return static_cast<T>(folded);
  }
}

// The largest, or smallest, value of each label's threads and its index, as in arg_max().
//   index       no two threads of a label may have the same index
//   result in   every thread: the result of its label
template <typename T, std::integral Index, int labels, int threads>
requires is_number<T>
[[nodiscard]] __device__ indexed<T, Index> labelled_arg_max(
    int label, T value, Index index,
    labelled_scratch<indexed<T, Index>, labels, threads>& scratch) {
  return labelled_reduce(label, indexed<T, Index>{value, index},
                         detail::better<detail::extreme::largest>{}, scratch);
}
template <typename T, std::integral Index, int labels, int threads>
requires is_number<T>
[[nodiscard]] __device__ indexed<T, Index> labelled_arg_min(
    int label, T value, Index index,
    labelled_scratch<indexed<T, Index>, labels, threads>& scratch) {
  return labelled_reduce(label, indexed<T, Index>{value, index},
                         detail::better<detail::extreme::smallest>{}, scratch);
}

// Each thread gets the result of its label's threads up to and including itself.
template <exchangeable T, combines<T> Op, int labels, int threads>
[[nodiscard]] __device__ T labelled_inclusive_scan(int label, T value, Op op,
                                                   labelled_scratch<T, labels, threads>& scratch) {
  using carried = detail::carried<T, Op>;
  const part mine = detail::part_of_label<labels>(label, scratch);
  const carried including = detail::scan_lanes(mine, static_cast<carried>(value), op);
  const auto earlier = detail::scan_label(mine, label, including, op, scratch);
  return static_cast<T>(earlier.exists ? op(earlier.before, including) : including);
}

// Each thread gets the result of its label's threads before itself; the first one gets `initial`,
// which comes before all values and must be the same in all threads of a label.
template <exchangeable T, combines<T> Op, int labels, int threads>
[[nodiscard]] __device__ T labelled_exclusive_scan_from(
    int label, T initial, T value, Op op, labelled_scratch<T, labels, threads>& scratch) {
  using carried = detail::carried<T, Op>;
  const part mine = detail::part_of_label<labels>(label, scratch);
  const carried including = detail::scan_lanes(mine, static_cast<carried>(value), op);
  const auto earlier = detail::scan_label(mine, label, including, op, scratch);
  auto before_warp = static_cast<carried>(initial);
  if (earlier.exists) before_warp = op(before_warp, earlier.before);
  const carried in_own = detail::shift_lanes(mine, including, before_warp);
  return static_cast<T>(mine.rank() == 0 ? in_own : op(before_warp, in_own));
}

// labelled_exclusive_scan_from() with the identity of op as `initial`.
template <exchangeable T, combines<T> Op, int labels, int threads>
requires has_identity<Op, T>
[[nodiscard]] __device__ T labelled_exclusive_scan(int label, T value, Op op,
                                                   labelled_scratch<T, labels, threads>& scratch) {
  return labelled_exclusive_scan_from(label, identity<Op, T>(), value, op, scratch);
}

}  // namespace heddle::group
