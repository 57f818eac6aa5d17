// The copies of memcpy_async: each thread copies its share.
#pragma once
#include <cstddef>
#include <type_traits>

#include <heddle_host/async_copy.hpp>

namespace cuda_on_host {

// The alignment that a size type promises for itself and both addresses: cuda::aligned_size_t is a
// template of it, both the stand-in and that of CCCL.
template <typename Size>
inline constexpr std::size_t promised_alignment = 1;
template <template <std::size_t> class Promise, std::size_t alignment>
inline constexpr std::size_t promised_alignment<Promise<alignment>> = alignment;

// The alignment that a copy of `T` relies on: the type's, or the size's promise if that is larger.
template <typename T, typename Size>
inline constexpr std::size_t alignment_of_copy =
    alignof(std::conditional_t<std::is_void_v<T>, char, T>) < promised_alignment<Size>
        ? promised_alignment<Size>
        : alignof(std::conditional_t<std::is_void_v<T>, char, T>);

// The group's threads share the bytes in runs of whole 16 bytes, one copy each. Inlined, with its
// callers, so that the copy gets the program's line.
template <typename Group>
[[gnu::always_inline]] inline void copy_share(const Group& group, void* to, const void* from,
                                              std::size_t bytes, std::size_t alignment) {
  const std::size_t threads = group.size();
  const std::size_t rank = group.thread_rank();
  if (rank == 0) ::heddle_host::copy_needs_alignment(to, from, bytes, alignment);
  const std::size_t run = ((bytes + threads - 1) / threads + 15) / 16 * 16;
  const std::size_t begin = run * rank;
  if (begin >= bytes) return;
  const std::size_t length = bytes - begin < run ? bytes - begin : run;
  ::heddle_host::copy_async(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin,
                            length);
}

struct single_thread {
  static constexpr std::size_t size() { return 1; }
  static constexpr std::size_t thread_rank() { return 0; }
};

template <typename T>
inline constexpr bool may_be_copied_async = std::is_void_v<T> || std::is_trivially_copyable_v<T>;

}  // namespace cuda_on_host
