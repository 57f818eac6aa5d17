// The order of grids and host actions that streams, events and host waits create.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "checker/race/access.hpp"
#include "checker/race/vector_clock.hpp"

namespace heddle_checker {

// Agents that follow each other form a chain, as in a stream. Each agent stores the last position
// of each chain that it comes after. A query is one comparison, and a long stream costs no more
// than a short one.
class agents {
 public:
  // A new agent that comes after each of `known` and everything that they come after.
  agent add(std::span<const agent> known, bool is_host, unsigned device);

  std::size_t size() const { return all_.size(); }
  bool is_host(agent which) const { return all_[which].is_host; }
  unsigned device(agent which) const { return all_[which].device; }

  // The same for a grid that a lane of `parent` launches. It also comes after everything that the
  // parent comes after, but not after the parent.
  agent add_child(agent parent, std::span<const agent> known);

  // Whether everything that `earlier` did happens before `which` begins.
  bool knows(agent which, agent earlier) const {
    const entry& other = all_[earlier];
    const std::vector<std::uint32_t>& places = all_[which].places;
    return other.chain < places.size() && other.place <= places[other.chain];
  }
  // Whether it comes after all agents that existed when it began.
  bool knows_everything(agent which) const { return all_[which].knows_everything; }

  // Segments below this number, of any block, happen before the agent.
  segment_id& ancient(agent which) { return all_[which].ancient; }
  // Segments of its own blocks below this number happen before what its blocks do now: they come
  // before its last grid barrier.
  segment_id& common(agent which) { return all_[which].common; }
  // What its ended blocks, and the agents before it, acquired from other agents.
  vector_clock& learned(agent which) { return all_[which].learned; }

  // All segment and block numbers have become invalid.
  void forget_segments();

 private:
  struct entry {
    bool is_host;
    bool knows_everything;
    unsigned device;
    std::uint32_t chain;
    std::uint32_t place;  // in its chain, from 1
    segment_id ancient;
    segment_id common;
    std::vector<std::uint32_t> places;  // by chain: the last position before it; 0: none
    vector_clock learned;
  };
  static void take_over(entry& fresh, const entry& from);
  void come_after(entry& fresh, std::span<const agent> known) const;
  agent append(entry fresh);

  std::vector<entry> all_;
  std::vector<std::uint32_t> lengths_;  // of the chains
};

}  // namespace heddle_checker
