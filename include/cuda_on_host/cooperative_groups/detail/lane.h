// A thread's lane in its warp, and conversions between lanes and ranks in a group.
#pragma once
#include <heddle_host/lane.hpp>

namespace cooperative_groups {
namespace detail {

inline unsigned lane_id() { return ::heddle_host::linear_thread() % 32; }
inline unsigned lanes_below() { return (1u << lane_id()) - 1; }

inline unsigned count(unsigned lanes) { return static_cast<unsigned>(__builtin_popcount(lanes)); }

// The lane of the member with this rank, or 32 if the group is smaller.
inline unsigned lane_of_rank(unsigned members, unsigned rank) {
  for (; rank != 0 && members != 0; --rank) members &= members - 1;
  return members == 0 ? 32 : static_cast<unsigned>(__builtin_ctz(members));
}

// Converts lanes to ranks: bit r of the result is the bit of the member with rank r.
inline unsigned ranks_of_lanes(unsigned members, unsigned lanes) {
  if (members == 0xffffffffu) return lanes;
  unsigned ranks = 0;
  for (unsigned rank = 0; members != 0; ++rank, members &= members - 1) {
    if (lanes & members & -members) ranks |= 1u << rank;
  }
  return ranks;
}

// The members whose ranks are first, first + 1, … first + length - 1.
inline unsigned members_in_ranks(unsigned members, unsigned first, unsigned length) {
  unsigned chosen = 0;
  for (unsigned rank = 0; members != 0; ++rank, members &= members - 1) {
    if (rank >= first && rank - first < length) chosen |= members & -members;
  }
  return chosen;
}

}  // namespace detail
}  // namespace cooperative_groups
