// cuda::ptx::fence* and barrier_cluster_*: memory fences and the cluster's barrier.
#pragma once
#include <cuda/detail/ptx_variants.h>
#include <heddle_host/atomic_scope.hpp>
#include <heddle_host/barrier.hpp>

namespace cuda::ptx {

template <dot_sem sem, dot_scope scope>
inline void fence(sem_t<sem>, scope_t<scope>) {
  static_assert(sem != dot_sem::relaxed && sem != dot_sem::weak, "a fence orders memory");
  using ::heddle_host::memory_scope;
  const ::heddle_host::atomic_scope whom(scope == dot_scope::cta       ? memory_scope::block
                                         : scope == dot_scope::cluster ? memory_scope::cluster
                                         : scope == dot_scope::gpu     ? memory_scope::device
                                                                       : memory_scope::system);
  if constexpr (sem == dot_sem::sc) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
  } else if constexpr (sem == dot_sem::acquire) {
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
  } else if constexpr (sem == dot_sem::release) {
    __atomic_thread_fence(__ATOMIC_RELEASE);
  } else {
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
  }
}

// Here the threads make bulk copies themselves, so there is no other proxy to order with.
inline void fence_proxy_async() { __atomic_thread_fence(__ATOMIC_ACQ_REL); }
template <dot_space space>
inline void fence_proxy_async(space_t<space>) {
  __atomic_thread_fence(__ATOMIC_ACQ_REL);
}
inline void fence_mbarrier_init(sem_release_t, scope_cluster_t) {
  __atomic_thread_fence(__ATOMIC_RELEASE);
}

inline void barrier_cluster_arrive() { ::heddle_host::cluster_arrive(); }
template <dot_sem sem>
inline void barrier_cluster_arrive(sem_t<sem>) {
  ::heddle_host::cluster_arrive();
}
inline void barrier_cluster_wait() { ::heddle_host::cluster_wait(); }
inline void barrier_cluster_wait(sem_acquire_t) { ::heddle_host::cluster_wait(); }

}  // namespace cuda::ptx
