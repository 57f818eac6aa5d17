// The block that each segment belongs to, and the grid of each block.
#pragma once
#include <cstdint>

#include "checker/race/agents.hpp"
#include "checker/race/record.hpp"
#include "checker/race/reserved_array.hpp"
#include "checker/race/vector_clock.hpp"

namespace heddle_checker {

struct instance {
  agent of;
  instance_id cluster;  // the first block of its cluster
  instance_id home;     // itself; for copies, the block whose lanes issued them
  std::uint64_t linear_block;
};

class timeline {
 public:
  timeline() : owners_(record::no_segment), instances_(record::no_segment) {}

  segment_id next_segment() const { return next_segment_; }
  segment_id add_segment(instance_id owner) {
    owners_[next_segment_] = owner;
    return next_segment_++;
  }
  instance_id owner(segment_id segment) const { return owners_[segment]; }

  instance_id add_instance(agent of, std::uint64_t linear_block) {
    instances_[next_instance_] = {of, next_instance_, next_instance_, linear_block};
    return next_instance_++;
  }
  instance& at(instance_id which) { return instances_[which]; }
  const instance& at(instance_id which) const { return instances_[which]; }

  void clear() {
    owners_.clear();
    instances_.clear();
    next_segment_ = next_instance_ = 1;
  }

 private:
  reserved_array<instance_id> owners_;  // by segment
  reserved_array<instance> instances_;
  segment_id next_segment_ = 1;
  instance_id next_instance_ = 1;
};

}  // namespace heddle_checker
