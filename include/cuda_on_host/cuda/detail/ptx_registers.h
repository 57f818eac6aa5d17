// cuda::ptx::get_sreg_*: the special registers of a thread.
#pragma once
#include <cstdint>

#include <device_functions.h>
#include <heddle_host/barrier.hpp>
#include <heddle_host/lane.hpp>
#include <heddle_host/progress.hpp>

namespace cuda::ptx {

inline ::std::uint32_t get_sreg_tid_x() { return threadIdx.x; }
inline ::std::uint32_t get_sreg_tid_y() { return threadIdx.y; }
inline ::std::uint32_t get_sreg_tid_z() { return threadIdx.z; }
inline ::std::uint32_t get_sreg_ntid_x() { return blockDim.x; }
inline ::std::uint32_t get_sreg_ntid_y() { return blockDim.y; }
inline ::std::uint32_t get_sreg_ntid_z() { return blockDim.z; }
inline ::std::uint32_t get_sreg_ctaid_x() { return blockIdx.x; }
inline ::std::uint32_t get_sreg_ctaid_y() { return blockIdx.y; }
inline ::std::uint32_t get_sreg_ctaid_z() { return blockIdx.z; }
inline ::std::uint32_t get_sreg_nctaid_x() { return gridDim.x; }
inline ::std::uint32_t get_sreg_nctaid_y() { return gridDim.y; }
inline ::std::uint32_t get_sreg_nctaid_z() { return gridDim.z; }

inline ::std::uint32_t get_sreg_laneid() { return ::heddle_host::linear_thread() % 32; }
inline ::std::uint32_t get_sreg_warpid() { return ::heddle_host::linear_thread() / 32; }
inline ::std::uint32_t get_sreg_nwarpid() { return (::heddle_host::lane_now.threads + 31) / 32; }
inline ::std::uint32_t get_sreg_lanemask_eq() { return 1u << get_sreg_laneid(); }
inline ::std::uint32_t get_sreg_lanemask_lt() { return get_sreg_lanemask_eq() - 1; }
inline ::std::uint32_t get_sreg_lanemask_le() {
  return get_sreg_lanemask_lt() | get_sreg_lanemask_eq();
}
inline ::std::uint32_t get_sreg_lanemask_gt() { return ~get_sreg_lanemask_le(); }
inline ::std::uint32_t get_sreg_lanemask_ge() { return ~get_sreg_lanemask_lt(); }

inline ::std::uint64_t get_sreg_clock64() { return static_cast<::std::uint64_t>(clock64()); }
inline ::std::uint32_t get_sreg_clock() { return static_cast<::std::uint32_t>(clock64()); }
inline ::std::uint64_t get_sreg_globaltimer() { return ::heddle_host::global_nanoseconds(); }

inline ::std::uint32_t get_sreg_cluster_ctaid_x() {
  return ::heddle_host::block_index_in_cluster().x;
}
inline ::std::uint32_t get_sreg_cluster_ctaid_y() {
  return ::heddle_host::block_index_in_cluster().y;
}
inline ::std::uint32_t get_sreg_cluster_ctaid_z() {
  return ::heddle_host::block_index_in_cluster().z;
}
inline ::std::uint32_t get_sreg_cluster_nctaid_x() { return ::heddle_host::cluster_dimensions().x; }
inline ::std::uint32_t get_sreg_cluster_nctaid_y() { return ::heddle_host::cluster_dimensions().y; }
inline ::std::uint32_t get_sreg_cluster_nctaid_z() { return ::heddle_host::cluster_dimensions().z; }
inline ::std::uint32_t get_sreg_cluster_ctarank() { return ::heddle_host::block_rank_in_cluster(); }
inline ::std::uint32_t get_sreg_cluster_nctarank() {
  const dim3 cluster = ::heddle_host::cluster_dimensions();
  return cluster.x * cluster.y * cluster.z;
}

}  // namespace cuda::ptx
