// PTX's special registers: one function for each, with its name.
#pragma once
#include <vector_types.h>

#include <heddle_host/barrier.hpp>
#include <heddle_host/lane.hpp>
#include <heddle_host/options.hpp>
#include <heddle_host/progress.hpp>

// CUDA's own function, implemented by the runtime.
long long clock64();

namespace heddle_host::ptx {

inline unsigned laneid() { return linear_thread() % 32; }
inline unsigned warpid() { return linear_thread() / 32; }
inline unsigned nwarpid() { return (lane_now.threads + 31) / 32; }
// The device reports its workers as multiprocessors. A block must not depend on which worker runs
// it, so the numbers are assigned to blocks round-robin.
inline unsigned nsmid() { return worker_count(); }
inline unsigned smid() {
  return (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) % worker_count();
}
inline unsigned lanemask_eq() { return 1u << laneid(); }
inline unsigned lanemask_lt() { return lanemask_eq() - 1; }
inline unsigned lanemask_le() { return lanemask_lt() | lanemask_eq(); }
inline unsigned lanemask_gt() { return ~lanemask_le(); }
inline unsigned lanemask_ge() { return ~lanemask_lt(); }
inline unsigned long long clock64() { return static_cast<unsigned long long>(::clock64()); }
inline unsigned clock() { return static_cast<unsigned>(clock64()); }
inline unsigned clock_hi() { return static_cast<unsigned>(clock64() >> 32); }
inline unsigned long long globaltimer() { return global_nanoseconds(); }
inline unsigned tid_x() { return threadIdx.x; }
inline unsigned tid_y() { return threadIdx.y; }
inline unsigned tid_z() { return threadIdx.z; }
inline unsigned ntid_x() { return blockDim.x; }
inline unsigned ntid_y() { return blockDim.y; }
inline unsigned ntid_z() { return blockDim.z; }
inline unsigned ctaid_x() { return blockIdx.x; }
inline unsigned ctaid_y() { return blockIdx.y; }
inline unsigned ctaid_z() { return blockIdx.z; }
inline unsigned nctaid_x() { return gridDim.x; }
inline unsigned nctaid_y() { return gridDim.y; }
inline unsigned nctaid_z() { return gridDim.z; }

inline unsigned globaltimer_lo() { return static_cast<unsigned>(globaltimer()); }
inline unsigned globaltimer_hi() { return static_cast<unsigned>(globaltimer() >> 32); }

// Clusters; a block without one is a cluster of one block.
inline unsigned cluster_ctaid_x() { return block_index_in_cluster().x; }
inline unsigned cluster_ctaid_y() { return block_index_in_cluster().y; }
inline unsigned cluster_ctaid_z() { return block_index_in_cluster().z; }
inline unsigned cluster_nctaid_x() { return cluster_dimensions().x; }
inline unsigned cluster_nctaid_y() { return cluster_dimensions().y; }
inline unsigned cluster_nctaid_z() { return cluster_dimensions().z; }
inline unsigned clusterid_x() { return blockIdx.x / cluster_dimensions().x; }
inline unsigned clusterid_y() { return blockIdx.y / cluster_dimensions().y; }
inline unsigned clusterid_z() { return blockIdx.z / cluster_dimensions().z; }
inline unsigned nclusterid_x() { return gridDim.x / cluster_dimensions().x; }
inline unsigned nclusterid_y() { return gridDim.y / cluster_dimensions().y; }
inline unsigned nclusterid_z() { return gridDim.z / cluster_dimensions().z; }
inline unsigned cluster_ctarank() { return block_rank_in_cluster(); }
inline unsigned cluster_nctarank() {
  const dim3 cluster = cluster_dimensions();
  return cluster.x * cluster.y * cluster.z;
}

}  // namespace heddle_host::ptx
