// The shared memory that the collectives of a block use; see group/scratch.cuh.
#pragma once
#include <heddle/group/scratch.cuh>
#include <heddle/group/team.cuh>

namespace heddle::block {

using group::any_size;
inline constexpr int most_warps = group::warps_of_largest_block;  // of a block
using group::scratch;

}  // namespace heddle::block
