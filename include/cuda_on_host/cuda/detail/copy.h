// The copies behind memcpy_async: each thread copies its share when it asks for the copy.
#pragma once
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace cuda {

// A size in bytes that is a multiple of `alignment`, as both addresses are.
template <::std::size_t alignment>
struct aligned_size_t {
  static constexpr ::std::size_t align = alignment;
  ::std::size_t value;
  explicit constexpr aligned_size_t(::std::size_t size) : value(size) {}
  constexpr operator ::std::size_t() const { return value; }
};

enum async_contract_fulfillment { none, async };

}  // namespace cuda

namespace cuda_on_host {

// A copy that is done when it is asked for is one of the orders a GPU may choose. The threads of
// the group share the bytes in runs of whole 16 bytes, so that a run is one memcpy.
template <typename Group>
inline void copy_share(const Group& group, void* to, const void* from, std::size_t bytes) {
  const std::size_t threads = group.size();
  const std::size_t rank = group.thread_rank();
  const std::size_t run = ((bytes + threads - 1) / threads + 15) / 16 * 16;
  const std::size_t begin = run * rank;
  if (begin >= bytes) return;
  const std::size_t length = bytes - begin < run ? bytes - begin : run;
  std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin, length);
}

struct single_thread {
  static constexpr std::size_t size() { return 1; }
  static constexpr std::size_t thread_rank() { return 0; }
};

template <typename T>
inline constexpr bool may_be_copied_async = std::is_void_v<T> || std::is_trivially_copyable_v<T>;

}  // namespace cuda_on_host
