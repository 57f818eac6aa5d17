// The order of grids and host actions, as streams, events and the host's waiting make it.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "checker/race/access.hpp"
#include "checker/race/vector_clock.hpp"

namespace heddle_checker {

// Agents that follow each other form chains (a stream is one), and an agent knows each chain up to
// a place: knowing costs one comparison, and a long stream costs no more than a short one.
class agents {
 public:
  // A new agent that comes after each of `known`, and after all that they come after.
  agent add(std::span<const agent> known, bool is_host, unsigned device);

  std::size_t size() const { return all_.size(); }
  bool is_host(agent which) const { return all_[which].is_host; }
  unsigned device(agent which) const { return all_[which].device; }

  // Whether all that `earlier` did comes before the beginning of `which`.
  bool knows(agent which, agent earlier) const {
    const entry& other = all_[earlier];
    const std::vector<std::uint32_t>& places = all_[which].places;
    return other.chain < places.size() && other.place <= places[other.chain];
  }
  // Whether it began after all that other agents have done so far.
  bool knows_everything(agent which) const { return all_[which].knows_everything; }

  // All segments below come before it, whoever they belong to.
  segment_id& ancient(agent which) { return all_[which].ancient; }
  // Segments of its own blocks below come before what its blocks do now: its last grid barrier.
  segment_id& common(agent which) { return all_[which].common; }
  // What its lanes learned beyond that.
  vector_clock& learned(agent which) { return all_[which].learned; }

  // All numbers of segments and blocks have lost their meaning.
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
    std::vector<std::uint32_t> places;  // by chain: the last one known; 0: none
    vector_clock learned;
  };
  std::vector<entry> all_;
  std::vector<std::uint32_t> lengths_;  // of the chains
};

}  // namespace heddle_checker
