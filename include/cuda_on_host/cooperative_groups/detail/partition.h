// Partitions groups: into tiles, by label and by predicate. Called by the whole parent group.
#pragma once
#include <type_traits>

#include <cooperative_groups/detail/coalesced_group.h>
#include <cooperative_groups/detail/thread_block_tile.h>

namespace cooperative_groups {

namespace detail {

template <unsigned Size, typename Parent>
inline constexpr bool can_be_tiled = false;
template <unsigned Size>
inline constexpr bool can_be_tiled<Size, thread_block> = true;
template <unsigned Size, unsigned ParentSize, typename GrandParent>
inline constexpr bool can_be_tiled<Size, thread_block_tile<ParentSize, GrandParent>> = (Size <
                                                                                        ParentSize);

// In a checked program the whole parent must take part, as on a GPU. Always inlined, so that a
// report names the line of the call.
__attribute__((always_inline)) inline void meet_to_part(const warp_members& parent) {
#ifdef HEDDLE_CHECKED
  ::heddle_host::make_part_of_lanes(parent.mask);
#else
  (void)parent;
#endif
}
__attribute__((always_inline)) inline void meet_to_part(const thread_block&) {
#ifdef HEDDLE_CHECKED
  ::heddle_host::make_part_of_block();
#endif
}
template <unsigned Size, typename Parent>
__attribute__((always_inline)) inline void meet_to_part(
    const thread_block_tile<Size, Parent>& parent) {
#ifdef HEDDLE_CHECKED
  if constexpr (Size <= 32) ::heddle_host::make_part_of_lanes(group_access::mask_of(parent));
#endif
  (void)parent;
}
__attribute__((always_inline)) inline void meet_to_part(const coalesced_group& parent) {
  meet_to_part(group_access::members_of(parent));
}

inline bool is_tile_size(unsigned size) { return size != 0 && size <= 32 && !(size & (size - 1)); }

// The caller's part of a warp's group that is cut into runs of `size` ranks.
inline warp_members tile_of_members(const warp_members& parent, unsigned size) {
  if (!is_tile_size(size)) __trap();
  const unsigned threads = count(parent.mask);
  if (threads <= size) return parent;
  const unsigned rank = count(parent.mask & lanes_below());
  return {members_in_ranks(parent.mask, rank / size * size, size), rank / size,
          (threads + size - 1) / size};
}

inline warp_members tile_of_block(unsigned size) {
  if (!is_tile_size(size)) __trap();
  const unsigned threads = thread_block::size(), rank = thread_block::thread_rank();
  const unsigned first = rank / size * size;
  const unsigned length = threads - first < size ? threads - first : size;
  return {(0xffffffffu >> (32 - length)) << (first % 32), rank / size, (threads + size - 1) / size};
}

template <typename Group>
inline coalesced_group split_by_predicate(const Group& group, bool predicate) {
  const unsigned mask = group_access::mask_of(group);
  const unsigned set = __ballot_sync(mask, predicate);
  if (set == mask || set == 0) {
    return group_access::make<coalesced_group>(warp_members{mask, 0, 1});
  }
  return group_access::make<coalesced_group>(
      warp_members{predicate ? set : mask & ~set, predicate ? 1u : 0u, 2});
}

// Parts are numbered in the order of their first lanes.
template <typename Group, typename Label>
inline coalesced_group split_by_label(const Group& group, Label label) {
  const unsigned mask = group_access::mask_of(group);
  const unsigned same = __match_any_sync(mask, label);
  const unsigned first = same & -same;
  const unsigned leaders = __ballot_sync(mask, first == 1u << lane_id());
  return group_access::make<coalesced_group>(
      warp_members{same, count(leaders & (first - 1)), count(leaders)});
}

template <typename Group, typename Label>
inline coalesced_group labeled(const Group& group, Label label) {
  static_assert(std::is_integral_v<Label> || std::is_pointer_v<Label>,
                "the label of labeled_partition is an integer or a pointer");
  if constexpr (std::is_same_v<Label, bool>) {
    return split_by_predicate(group, label);
  } else if constexpr (std::is_pointer_v<Label>) {
    return split_by_label(group, reinterpret_cast<unsigned long long>(label));
  } else if constexpr (sizeof(Label) <= 4) {
    return split_by_label(group, static_cast<unsigned>(label));
  } else {
    return split_by_label(group, static_cast<unsigned long long>(label));
  }
}

}  // namespace detail

template <unsigned int Size, typename Parent>
__attribute__((always_inline)) inline thread_block_tile<Size, Parent> tiled_partition(
    const Parent& parent) {
  static_assert(detail::can_be_tiled<Size, Parent>,
                "tiled_partition<Size> cuts a thread_block, or a thread_block_tile that is larger");
  // As on a GPU, creating tiles of several warps synchronises the parent.
  if constexpr (Size > 32) parent.sync();
  detail::meet_to_part(parent);
  return detail::group_access::make<thread_block_tile<Size, Parent>>();
}

__attribute__((always_inline)) inline coalesced_group tiled_partition(const coalesced_group& parent,
                                                                      unsigned size) {
  detail::meet_to_part(parent);
  return detail::group_access::make<coalesced_group>(
      detail::tile_of_members(detail::group_access::members_of(parent), size));
}

__attribute__((always_inline)) inline thread_group tiled_partition(const thread_block& parent,
                                                                   unsigned size) {
  detail::meet_to_part(parent);
  return detail::group_access::erase(detail::tile_of_block(size));
}

inline thread_group tiled_partition(const thread_group& parent, unsigned size) {
  switch (detail::group_access::kind_of(parent)) {
    case detail::group_kind::coalesced:
      return detail::group_access::erase(
          detail::tile_of_members(detail::group_access::members_of(parent), size));
    case detail::group_kind::block:
      return detail::group_access::erase(detail::tile_of_block(size));
    default:
      __trap();  // a grid or a cluster cannot be tiled
      return parent;
  }
}

__attribute__((always_inline)) inline coalesced_group binary_partition(const coalesced_group& group,
                                                                       bool predicate) {
  detail::meet_to_part(group);
  return detail::split_by_predicate(group, predicate);
}

template <unsigned int Size, typename Parent>
__attribute__((always_inline)) inline coalesced_group binary_partition(
    const thread_block_tile<Size, Parent>& tile, bool predicate) {
  detail::meet_to_part(tile);
  static_assert(Size <= 32, "binary_partition splits tiles of at most 32 threads");
  return detail::split_by_predicate(tile, predicate);
}

template <typename Label>
__attribute__((always_inline)) inline coalesced_group labeled_partition(
    const coalesced_group& group, Label label) {
  detail::meet_to_part(group);
  return detail::labeled(group, label);
}

template <typename Label, unsigned int Size, typename Parent>
__attribute__((always_inline)) inline coalesced_group labeled_partition(
    const thread_block_tile<Size, Parent>& tile, Label label) {
  detail::meet_to_part(tile);
  static_assert(Size <= 32, "labeled_partition splits tiles of at most 32 threads");
  return detail::labeled(tile, label);
}

// CUDA does not support these for a whole block.
__attribute__((
    unavailable("binary_partition splits a coalesced_group or a tile of at most 32 "
                "threads: make a tile of the block first"))) coalesced_group
binary_partition(const thread_block&, bool);
template <typename Label>
__attribute__((
    unavailable("labeled_partition splits a coalesced_group or a tile of at most 32 "
                "threads: make a tile of the block first"))) coalesced_group
labeled_partition(const thread_block&, Label);

}  // namespace cooperative_groups
