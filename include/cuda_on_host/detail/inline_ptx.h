// What translated inline PTX calls: heddle_host::ptx, and bulk copies.
#pragma once
#include <cstdint>

#include <cuda/detail/ptx_bulk_copy.h>
#include <heddle_host/ptx.hpp>

namespace heddle_host::ptx {

// cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
[[gnu::always_inline]] inline void cp_async_bulk(void* to, const void* from, unsigned bytes,
                                                 void* barrier) {
  ::cuda::ptx::cp_async_bulk(::cuda::ptx::space_cluster, ::cuda::ptx::space_global, to, from, bytes,
                             static_cast<::std::uint64_t*>(barrier));
}

// cp.async.bulk.global.shared::cta.bulk_group
[[gnu::always_inline]] inline void cp_async_bulk(void* to, const void* from, unsigned bytes) {
  ::cuda::ptx::cp_async_bulk(::cuda::ptx::space_global, ::cuda::ptx::space_shared, to, from, bytes);
}

}  // namespace heddle_host::ptx
