// The shared memory that the functions of a block work in; see group/scratch.cuh.
#pragma once
#include <heddle/group/scratch.cuh>
#include <heddle/group/team.cuh>

namespace heddle::block {

using group::any_size;
inline constexpr int most_warps = group::warps_of_largest_block;  // that a block can have
using group::scratch;

}  // namespace heddle::block
