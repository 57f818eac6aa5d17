// The driver's contexts: which exist, and which one is current in each host thread.
#pragma once
#include <atomic>
#include <cstdint>

#include <cuda.h>

namespace heddle_host::api {

// A context is never freed, so that stale handles and pointers are detected.
struct context {
  context(CUcontext handle, int device, unsigned flags, bool is_primary)
      : handle(handle), device(device), is_primary(is_primary), flags(flags) {}

  const CUcontext handle;
  const int device;
  const bool is_primary;
  const std::uint64_t id = next_id++;
  std::atomic<unsigned> flags;
  // False once it is destroyed; for a primary context, also before it is first used.
  std::atomic<bool> is_alive{false};
  std::atomic<int> retained{0};  // by cuDevicePrimaryCtxRetain
  std::atomic<bool> is_used_by_runtime{false};

 private:
  static inline std::atomic<std::uint64_t> next_id{1};
};

// Null if there is no such context.
context* find_context(CUcontext handle) noexcept;
// Null if no context has this number.
context* context_numbered(std::uint64_t id) noexcept;
context& primary_context(int device) noexcept;
context& create_context(int device, unsigned flags);

// Marks the context as destroyed. A primary one can be used again.
void retire_context(context& which) noexcept;

// The calling thread's context; null if it has none.
context* current_context() noexcept;
// Replaces the calling thread's context; null removes it. The thread's device follows.
void make_current(context* which) noexcept;
void push_context(context& which);
// Null if the thread has none.
context* pop_context() noexcept;

// Every runtime call that needs the device does this first: if the thread has no context, makes the
// primary context of its device current and alive.
void use_context() noexcept;
void use_primary_context(int device) noexcept;
// The number of the context that new memory, streams and events belong to; 0 for primary contexts.
std::uint64_t owner_of_new_objects() noexcept;

}  // namespace heddle_host::api
