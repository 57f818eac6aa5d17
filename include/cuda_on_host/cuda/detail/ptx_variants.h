// The tags that select a variant of an instruction in cuda::ptx functions.
#pragma once

namespace cuda::ptx {

enum class dot_sem { acq_rel, acquire, relaxed, release, sc, weak };
enum class dot_space { global, cluster, shared };
enum class dot_scope { cta, cluster, gpu, sys };

template <dot_sem which>
struct sem_t {
  static constexpr dot_sem value = which;
};
template <dot_space which>
struct space_t {
  static constexpr dot_space value = which;
};
template <dot_scope which>
struct scope_t {
  static constexpr dot_scope value = which;
};
template <int number>
struct n32_t {
  static constexpr int value = number;
};

using sem_acq_rel_t = sem_t<dot_sem::acq_rel>;
using sem_acquire_t = sem_t<dot_sem::acquire>;
using sem_relaxed_t = sem_t<dot_sem::relaxed>;
using sem_release_t = sem_t<dot_sem::release>;
using sem_sc_t = sem_t<dot_sem::sc>;
inline constexpr sem_acq_rel_t sem_acq_rel{};
inline constexpr sem_acquire_t sem_acquire{};
inline constexpr sem_relaxed_t sem_relaxed{};
inline constexpr sem_release_t sem_release{};
inline constexpr sem_sc_t sem_sc{};

using space_global_t = space_t<dot_space::global>;
using space_cluster_t = space_t<dot_space::cluster>;
using space_shared_t = space_t<dot_space::shared>;
inline constexpr space_global_t space_global{};
inline constexpr space_cluster_t space_cluster{};
inline constexpr space_shared_t space_shared{};

using scope_cta_t = scope_t<dot_scope::cta>;
using scope_cluster_t = scope_t<dot_scope::cluster>;
using scope_gpu_t = scope_t<dot_scope::gpu>;
using scope_sys_t = scope_t<dot_scope::sys>;
inline constexpr scope_cta_t scope_cta{};
inline constexpr scope_cluster_t scope_cluster{};
inline constexpr scope_gpu_t scope_gpu{};
inline constexpr scope_sys_t scope_sys{};

template <int number>
inline constexpr n32_t<number> n32{};

}  // namespace cuda::ptx
