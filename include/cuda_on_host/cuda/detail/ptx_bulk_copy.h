// cuda::ptx::cp_async_bulk*: one thread copies a run of bytes between global and shared memory.
#pragma once
#include <cstdint>

#include <cuda/detail/bulk_copy.h>
#include <cuda/detail/ptx_variants.h>
#include <heddle_host/async_copy.hpp>

namespace cuda::ptx {

// Into shared memory, of this block or another one of the cluster: the bytes count towards those
// that the barrier expects.
template <dot_space to_space, dot_space from_space>
[[gnu::always_inline]] inline void cp_async_bulk(space_t<to_space>, space_t<from_space>, void* to,
                                                 const void* from, const ::std::uint32_t& bytes,
                                                 ::std::uint64_t* barrier) {
  static_assert((from_space == dot_space::global && to_space != dot_space::global) ||
                    (from_space == dot_space::shared && to_space == dot_space::cluster),
                "bulk copies with a barrier go from global memory to shared memory, or from shared "
                "memory to another block of the cluster");
  ::cuda_on_host::copy_bulk(to, from, bytes, barrier);
}

// Into global memory; waited for in groups.
[[gnu::always_inline]] inline void cp_async_bulk(space_global_t, space_shared_t, void* to,
                                                 const void* from, const ::std::uint32_t& bytes) {
  ::cuda_on_host::copy_bulk(to, from, bytes);
}

inline void cp_async_bulk_commit_group() {
  ::heddle_host::commit_copies(::heddle_host::copy_queue::bulk);
}
template <int number>
inline void cp_async_bulk_wait_group(n32_t<number>) {
  ::heddle_host::await_copies(::heddle_host::copy_queue::bulk, number);
}
template <int number>
inline void cp_async_bulk_wait_group_read(n32_t<number>) {
  ::heddle_host::await_copies(::heddle_host::copy_queue::bulk, number, true);
}

template <typename... Arguments>
inline void cp_async_bulk_tensor(Arguments&&...) {
  static_assert(sizeof...(Arguments) == ~0u, "tensor copies are not supported on the CPU");
}
template <typename... Arguments>
inline void cp_reduce_async_bulk(Arguments&&...) {
  static_assert(sizeof...(Arguments) == ~0u, "bulk reductions are not supported on the CPU");
}

}  // namespace cuda::ptx
