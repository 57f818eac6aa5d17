// The scopes of an atomic object or barrier, and the memory orders, under CUDA's names.
#pragma once
#include <atomic>

#include <heddle_host/atomic_scope.hpp>

namespace cuda {

// Which threads use the object. All memory of the CPU is coherent for all its threads, so a
// narrower scope promises less but does the same; only a checker sees the difference.
enum thread_scope {
  thread_scope_system,
  thread_scope_device,
  thread_scope_block,
  thread_scope_thread
};

namespace detail {
constexpr ::heddle_host::memory_scope whom(thread_scope scope) {
  using ::heddle_host::memory_scope;
  return scope == thread_scope_system   ? memory_scope::system
         : scope == thread_scope_device ? memory_scope::device
                                        : memory_scope::block;
}
}  // namespace detail

using ::std::memory_order;
inline constexpr memory_order memory_order_relaxed = ::std::memory_order_relaxed;
inline constexpr memory_order memory_order_consume = ::std::memory_order_consume;
inline constexpr memory_order memory_order_acquire = ::std::memory_order_acquire;
inline constexpr memory_order memory_order_release = ::std::memory_order_release;
inline constexpr memory_order memory_order_acq_rel = ::std::memory_order_acq_rel;
inline constexpr memory_order memory_order_seq_cst = ::std::memory_order_seq_cst;

}  // namespace cuda
