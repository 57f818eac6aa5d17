// Which segment each lane of a resident block is in, and what the lane comes after.
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

// By scope: what is released to, or acquired from, the lanes within it. The narrower the scope, the
// more it includes.
using by_scope = std::array<vector_clock, scopes>;

// What a lane's fences and atomic accesses have prepared for later ones.
struct lane_messages {
  // A later store of the lane to the same location publishes again what its release there
  // published. A later acquire also takes what its reads there observed.
  struct mark {
    std::uintptr_t location;
    by_scope released;
    by_scope seen;
  };
  by_scope fenced;  // what its next atomic write publishes
  by_scope seen;    // what its next fence acquires
  std::vector<mark> marks;
};

// By lane of a warp: its last segment that happens before.
using lane_table = std::array<segment_id, lanes_per_warp>;

struct lane_clock {
  std::uint64_t stamp = 0;             // of its records: its current segment and its thread
  code_order visited;                  // code, since its block or its whole warp synchronised
  segment_id warp_known = 0;           // segments of its warp below happen before what it does now
  lane_table* partly_known = nullptr;  // of its warp, once only some of its lanes have synchronised
  vector_clock learned;                // beyond what the numbers of its block and warp cover
  vector_clock apparent;  // what it appears to come after, by volatile and atomic loads
  std::unique_ptr<lane_messages> messages;

  segment_id segment() const { return record{stamp}.segment(); }
};

struct block_clock {
  segment_id ancient = 0;  // segments of any block below happen before this block
  segment_id known = 0;    // the same for its own segments
  segment_id common = 0;   // the same for those of its grid
  instance_id instance = 0;
  agent of = 0;
  unsigned threads = 0;
  bool has_learned = false;        // `learned` of some lane is not empty
  std::uintptr_t shared_base = 0;  // memory that no other block can reach
  std::size_t shared_bytes = 0;
  std::uint64_t linear_block = 0;
  std::size_t place = 0;          // index among the resident blocks
  vector_clock own_agent;         // what its grid came after, and its grid's own segments so far
  block_clock* copies = nullptr;  // does the asynchronous copies of its lanes; null: none yet
  std::vector<lane_clock> lanes;
  std::vector<std::unique_ptr<std::array<lane_table, lanes_per_warp>>> warp_tables;
};

}  // namespace heddle_checker
