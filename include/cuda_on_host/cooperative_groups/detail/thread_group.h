// thread_group: a group whose kind is known only at run time.
#pragma once
#include <vector_types.h>

namespace cooperative_groups {

namespace detail {

enum class group_kind : unsigned { coalesced, block, grid, cluster };

// The lanes of one warp that form a group, and which part of its parent it is.
struct warp_members {
  unsigned mask;
  unsigned meta_rank;
  unsigned meta_size;
};

struct group_access;

}  // namespace detail

// Can hold a block, grid, cluster, coalesced group or one-warp tile; supports only what they share.
class thread_group {
 public:
  unsigned long long size() const { return num_threads(); }
  unsigned long long num_threads() const;
  unsigned long long thread_rank() const;
  void sync() const;
  unsigned get_type() const { return static_cast<unsigned>(kind); }

 protected:
  explicit thread_group(detail::group_kind which) : kind(which), members{0, 0, 1} {}
  explicit thread_group(detail::warp_members lanes)
      : kind(detail::group_kind::coalesced), members(lanes) {}

  detail::group_kind kind;
  detail::warp_members members;

 private:
  friend struct detail::group_access;
};

namespace detail {

// Gives the library's own functions access to a group's private parts.
struct group_access {
  static group_kind kind_of(const thread_group& group) { return group.kind; }
  static const warp_members& members_of(const thread_group& group) { return group.members; }
  static thread_group erase(warp_members lanes) { return thread_group(lanes); }
  template <typename Group>
  static unsigned mask_of(const Group& group) {
    return group.mask();
  }
  template <typename Group, typename... Arguments>
  static Group make(Arguments... arguments) {
    return Group(arguments...);
  }
};

}  // namespace detail
}  // namespace cooperative_groups
