// Where the lanes of a resident block stand, and what they come after.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "checker/race/code_order.hpp"
#include "checker/race/record.hpp"
#include "checker/race/vector_clock.hpp"

namespace heddle_checker {

inline constexpr unsigned scopes = 4;

// By scope: what is said to, or has been heard from, those within it. The narrower the scope, the
// more it is.
using by_scope = std::array<vector_clock, scopes>;

// What a lane's fences and atomic accesses have prepared.
struct lane_messages {
  // A later access of the lane to the same location hands on what its release there said, and
  // takes what its reads there saw.
  struct mark {
    std::uintptr_t location;
    by_scope released;
    by_scope seen;
  };
  by_scope fenced;  // what an atomic write publishes
  by_scope seen;    // what a fence makes known
  std::vector<mark> marks;
};

// By lane of a warp: the last of its segments that is known.
using lane_table = std::array<segment_id, lanes_per_warp>;

struct lane_clock {
  std::uint64_t stamp = 0;             // of its records: the segment it is in, and its thread
  code_order visited;                  // where, since its block or its warp has met
  segment_id warp_known = 0;           // its warp's segments below come before what it does now
  lane_table* partly_known = nullptr;  // of its warp, once some of its lanes have met
  vector_clock learned;                // beyond its block's and warp's numbers
  vector_clock apparent;               // what it seems to come after, by volatile and atomic loads
  std::unique_ptr<lane_messages> messages;

  segment_id segment() const { return record{stamp}.segment(); }
};

struct block_clock {
  segment_id ancient = 0;  // anybody's segments below come before all lanes of this block
  segment_id known = 0;    // its own
  segment_id common = 0;   // those of its grid
  instance_id instance = 0;
  agent of = 0;
  unsigned threads = 0;
  bool has_learned = false;        // one of the lanes has
  std::uintptr_t shared_base = 0;  // what no other block can reach
  std::size_t shared_bytes = 0;
  std::uint64_t linear_block = 0;
  std::size_t place = 0;          // among the resident blocks
  vector_clock own_agent;         // that its grid has begun, and until where it knows itself
  block_clock* copies = nullptr;  // who does what its lanes have copied asynchronously
  std::vector<lane_clock> lanes;
  std::vector<std::unique_ptr<std::array<lane_table, lanes_per_warp>>> warp_tables;
};

}  // namespace heddle_checker
