// Makes an NCCL communicator for the ranks of an MPI communicator.
#pragma once
#if __has_include(<nccl.h>) && __has_include(<cuda_fp8.h>)  // which nccl.h includes
#include <heddle/distributed/communicator.hpp>
#include <heddle/distributed/nccl_link.hpp>

namespace heddle::distributed {

// Lets the ranks' devices communicate directly; collectives take the result in place of `ranks`.
//   called by   every rank, after cudaSetDevice(). Each rank needs its own device: NCCL refuses
//               shared ones
[[nodiscard]] inline nccl_communicator make_nccl_communicator(
    communicator& ranks, source_location where = source_location::current()) {
  ncclUniqueId id{};
  if (ranks.rank() == 0) id = nccl_communicator::new_id(where);
  return {ranks.broadcast(id, 0, where), ranks.rank(), ranks.size(), ranks.limit(), where};
}

}  // namespace heddle::distributed
#endif
