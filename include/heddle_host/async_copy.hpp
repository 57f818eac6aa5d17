// Tells a checked or profiled program of asynchronous copies and of who waits for them; elsewhere a
// copy is done when it is asked for, which is one of the orders that a GPU may choose.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace heddle_host {

// A lane's copies in groups of its own, by the instructions that make them.
enum class copy_queue : unsigned char { cp_async, bulk };

namespace checked {

// Copies, in the name of somebody who works beside the running lane; `from` null: zeros.
void copy_async(void* to, const void* from, std::size_t bytes);
// Said before a copy: it needs both addresses and the size to be multiples of `alignment`; 0: there
// is no copy of that size.
void copy_needs_alignment(const void* to, const void* from, std::size_t bytes,
                          std::size_t alignment);
// The copies since the last commit are a group; the lane waits for all but the last `all_but`
// groups. `reads_only`: until they have read, not until they have written.
void commit_copies(copy_queue which);
void await_copies(copy_queue which, std::size_t all_but, bool reads_only = false);
// The phase of a barrier waits for the copies that the running lane has asked for; it ends; the
// running lane has seen that a phase has ended.
void bind_copies(const void* barrier);
void end_phase(const void* barrier);
void await_phase(const void* barrier);

}  // namespace checked

#if defined(HEDDLE_CHECKED) || defined(HEDDLE_PROFILED)

using checked::await_copies;
using checked::await_phase;
using checked::bind_copies;
using checked::commit_copies;
using checked::copy_async;
using checked::copy_needs_alignment;
using checked::end_phase;

#else

inline void copy_async(void* to, const void* from, std::size_t bytes) {
  if (from != nullptr) {
    std::memcpy(to, from, bytes);
  } else {
    std::memset(to, 0, bytes);
  }
}
inline void copy_needs_alignment(const void*, const void*, std::size_t, std::size_t) {}
inline void commit_copies(copy_queue) {}
inline void await_copies(copy_queue, std::size_t, bool = false) {}
inline void bind_copies(const void*) {}
inline void end_phase(const void*) {}
inline void await_phase(const void*) {}

#endif

// Is somebody told of a copy that does not get what it needs, so that the kernel need not end?
#ifdef HEDDLE_CHECKED
inline constexpr bool needs_of_copies_are_checked = true;
#else
inline constexpr bool needs_of_copies_are_checked = false;
#endif

}  // namespace heddle_host
