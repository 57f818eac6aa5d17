// Asynchronous copies and the waits for them, reported to the observer in a checked or profiled
// program. Any other program copies at once, which is one of the orders a GPU may choose.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace heddle_host {

// Each lane has one queue of copy groups for each kind of copy instruction.
enum class copy_queue : unsigned char { cp_async, bulk };

namespace checked {

// Copies as an agent that runs concurrently with the lane; a null `from` writes zeros.
void copy_async(void* to, const void* from, std::size_t bytes);
// Called before a copy: both addresses and the size must be multiples of `alignment`. 0 means that
// there is no copy of that size.
void copy_needs_alignment(const void* to, const void* from, std::size_t bytes,
                          std::size_t alignment);
// commit_copies makes the copies since the last commit a group. await_copies waits for all but the
// last `all_but` groups; with `reads_only`, until they have read their sources.
void commit_copies(copy_queue which);
void await_copies(copy_queue which, std::size_t all_but, bool reads_only = false);
// bind_copies: the barrier's current phase waits for the copies that the running lane has issued.
// end_phase: that phase completes. await_phase: the running lane has seen a phase complete.
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

// Whether a checker reports misaligned copies, so that the kernel can carry on.
#ifdef HEDDLE_CHECKED
inline constexpr bool needs_of_copies_are_checked = true;
#else
inline constexpr bool needs_of_copies_are_checked = false;
#endif

}  // namespace heddle_host
