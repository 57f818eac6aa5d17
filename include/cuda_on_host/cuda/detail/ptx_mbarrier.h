// cuda::ptx::mbarrier_*: explicit use of the barrier object in shared memory.
#pragma once
#include <cuda/detail/mbarrier.h>
#include <cuda/detail/ptx_variants.h>

namespace cuda::ptx {

// Memory orders are at least as strong as requested: arrivals always release and waits always
// acquire.

inline void mbarrier_init(::std::uint64_t* at, const ::std::uint32_t& count) {
  ::cuda_on_host::mbarrier::init(at, count);
}

inline ::std::uint64_t mbarrier_arrive(::std::uint64_t* at) {
  return ::cuda_on_host::mbarrier::arrive(at);
}
inline ::std::uint64_t mbarrier_arrive(::std::uint64_t* at, const ::std::uint32_t& count) {
  return ::cuda_on_host::mbarrier::arrive(at, count);
}
template <dot_sem sem, dot_scope scope>
inline ::std::uint64_t mbarrier_arrive(sem_t<sem>, scope_t<scope>, space_shared_t,
                                       ::std::uint64_t* at, const ::std::uint32_t& count = 1) {
  return ::cuda_on_host::mbarrier::arrive(at, count);
}
// At the barrier of another block of the cluster, which gives no token to wait with.
template <dot_sem sem>
inline void mbarrier_arrive(sem_t<sem>, scope_cluster_t, space_cluster_t, ::std::uint64_t* at,
                            const ::std::uint32_t& count = 1) {
  (void)::cuda_on_host::mbarrier::arrive(at, count);
}

inline ::std::uint64_t mbarrier_arrive_no_complete(::std::uint64_t* at,
                                                   const ::std::uint32_t& count) {
  return ::cuda_on_host::mbarrier::arrive(at, count);
}

template <dot_sem sem, dot_scope scope>
inline ::std::uint64_t mbarrier_arrive_expect_tx(sem_t<sem>, scope_t<scope>, space_shared_t,
                                                 ::std::uint64_t* at,
                                                 const ::std::uint32_t& bytes) {
  return ::cuda_on_host::mbarrier::advance(at, 1, 0, static_cast<::std::int32_t>(bytes));
}
template <dot_sem sem>
inline void mbarrier_arrive_expect_tx(sem_t<sem>, scope_cluster_t, space_cluster_t,
                                      ::std::uint64_t* at, const ::std::uint32_t& bytes) {
  (void)::cuda_on_host::mbarrier::advance(at, 1, 0, static_cast<::std::int32_t>(bytes));
}

template <dot_scope scope, dot_space space>
inline void mbarrier_expect_tx(sem_relaxed_t, scope_t<scope>, space_t<space>, ::std::uint64_t* at,
                               ::std::uint32_t bytes) {
  static_assert(space != dot_space::global, "an mbarrier lies in shared memory");
  (void)::cuda_on_host::mbarrier::expect_bytes(at, bytes);
}

// Lets others run if the wait is not over: it is polled in a loop.
namespace detail {
inline bool yield_unless(bool is_over) {
  if (!is_over) ::cuda_on_host::let_others_run();
  return is_over;
}
}  // namespace detail

inline bool mbarrier_test_wait(::std::uint64_t* at, const ::std::uint64_t& token) {
  return detail::yield_unless(::cuda_on_host::mbarrier::has_passed(at, token));
}
template <dot_sem sem, dot_scope scope>
inline bool mbarrier_test_wait(sem_t<sem>, scope_t<scope>, ::std::uint64_t* at,
                               const ::std::uint64_t& token) {
  return mbarrier_test_wait(at, token);
}
inline bool mbarrier_try_wait(::std::uint64_t* at, const ::std::uint64_t& token,
                              const ::std::uint32_t& /*suspend_time_hint*/ = 0) {
  return mbarrier_test_wait(at, token);
}
template <dot_sem sem, dot_scope scope>
inline bool mbarrier_try_wait(sem_t<sem>, scope_t<scope>, ::std::uint64_t* at,
                              const ::std::uint64_t& token,
                              const ::std::uint32_t& /*suspend_time_hint*/ = 0) {
  return mbarrier_test_wait(at, token);
}

inline bool mbarrier_test_wait_parity(::std::uint64_t* at, const ::std::uint32_t& parity) {
  return detail::yield_unless(::cuda_on_host::mbarrier::has_passed_parity(at, (parity & 1) != 0));
}
template <dot_sem sem, dot_scope scope>
inline bool mbarrier_test_wait_parity(sem_t<sem>, scope_t<scope>, ::std::uint64_t* at,
                                      const ::std::uint32_t& parity) {
  return mbarrier_test_wait_parity(at, parity);
}
inline bool mbarrier_try_wait_parity(::std::uint64_t* at, const ::std::uint32_t& parity,
                                     const ::std::uint32_t& /*suspend_time_hint*/ = 0) {
  return mbarrier_test_wait_parity(at, parity);
}
template <dot_sem sem, dot_scope scope>
inline bool mbarrier_try_wait_parity(sem_t<sem>, scope_t<scope>, ::std::uint64_t* at,
                                     const ::std::uint32_t& parity,
                                     const ::std::uint32_t& /*suspend_time_hint*/ = 0) {
  return mbarrier_test_wait_parity(at, parity);
}

}  // namespace cuda::ptx
