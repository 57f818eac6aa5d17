// invoke_one: one thread of a group calls a function and may broadcast its result.
#pragma once
#include <type_traits>
#include <utility>

#include <cooperative_groups/detail/coalesced_group.h>
#include <cooperative_groups/detail/thread_block_tile.h>

namespace cooperative_groups {

namespace detail {

template <typename Group>
inline constexpr bool can_shuffle = std::is_same_v<Group, coalesced_group>;
template <unsigned Size, typename Parent>
inline constexpr bool can_shuffle<thread_block_tile<Size, Parent>> = true;

}  // namespace detail

template <typename Group, typename Function, typename... Arguments>
inline void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) {
    std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
  }
}

template <typename Group, typename Function, typename... Arguments>
inline auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments)
    -> std::remove_reference_t<
        decltype(std::forward<Function>(function)(std::forward<Arguments>(arguments)...))> {
  using result_type = detail::plain<decltype(std::forward<Function>(function)(
      std::forward<Arguments>(arguments)...))>;
  static_assert(!std::is_void_v<result_type>,
                "a function that returns nothing is called with invoke_one");
  static_assert(detail::can_shuffle<Group>,
                "invoke_one_broadcast takes a tile or a coalesced group");
  // The shuffle reads only the first thread's bytes; the others' are irrelevant.
  alignas(result_type) unsigned char bytes[sizeof(result_type)] = {};
  result_type& result = *reinterpret_cast<result_type*>(bytes);
  if (group.thread_rank() == 0) {
    result = std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
  }
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups
