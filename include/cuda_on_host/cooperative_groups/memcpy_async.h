// Stand-in for <cooperative_groups/memcpy_async.h>: a group copies an array into shared memory.
#pragma once
#define _COOPERATIVE_GROUPS_MEMCPY_ASYNC  // programs test for it
#include <cooperative_groups.h>
#include <cuda/detail/copy.h>

namespace cooperative_groups {

namespace detail {

template <typename Group>
inline constexpr bool can_copy = std::is_same_v<Group, thread_block> || can_shuffle<Group>;

template <typename Size, typename Group, typename T>
[[gnu::always_inline]] inline void copy(const Group& group, T* to, const T* from,
                                        std::size_t bytes) {
  static_assert(can_copy<Group>,
                "memcpy_async takes a thread_block, a thread_block_tile or a coalesced_group");
  static_assert(::cuda_on_host::may_be_copied_async<T>,
                "memcpy_async copies trivially copyable types only");
  ::cuda_on_host::copy_share(group, to, from, bytes, ::cuda_on_host::alignment_of_copy<T, Size>);
  ::heddle_host::commit_copies(::heddle_host::copy_queue::cp_async);
}

template <typename T>
inline constexpr std::size_t size_of = sizeof(T);
template <>
inline constexpr std::size_t size_of<void> = 1;

}  // namespace detail

// Each thread copies its share of `bytes` bytes. The data is valid after wait().
template <typename Group, typename T, typename Size>
[[gnu::always_inline]] inline void memcpy_async(const Group& group, T* to, const T* from,
                                                const Size& bytes) {
  detail::copy<Size>(group, to, from, static_cast<std::size_t>(bytes));
}

// The same, with sizes in elements: copies the smaller of the two counts.
template <typename Group, typename T, typename ToCount, typename FromCount>
[[gnu::always_inline]] inline void memcpy_async(const Group& group, T* to, const ToCount& to_count,
                                                const T* from, const FromCount& from_count) {
  const std::size_t most = static_cast<std::size_t>(to_count);
  const std::size_t given = static_cast<std::size_t>(from_count);
  using size = std::conditional_t<std::is_same_v<ToCount, FromCount>, ToCount, std::size_t>;
  detail::copy<size>(group, to, from, (given < most ? given : most) * detail::size_of<T>);
}

// Waits until the copies of all threads of the group are complete.
template <typename Group>
inline void wait(const Group& group) {
  ::heddle_host::await_copies(::heddle_host::copy_queue::cp_async, 0);
  group.sync();
}

// The same, except for the last `stage` copies.
template <unsigned stage, typename Group>
inline void wait_prior(const Group& group) {
  ::heddle_host::await_copies(::heddle_host::copy_queue::cp_async, stage);
  group.sync();
}

}  // namespace cooperative_groups
