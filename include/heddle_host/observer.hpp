// The events of a run, for whoever wants to check or measure it.
#pragma once
#include <cstdint>

#include <heddle_host/launch.hpp>
#include <heddle_host/meeting.hpp>

namespace heddle_host {

struct lane_identity {
  uint3 block;
  uint3 thread;
  unsigned linear_thread;
};

// Every call comes from the thread on which the event happens; blocks run in parallel.
class observer {
 public:
  virtual ~observer() = default;
  virtual void grid_begins(const launch_request&) {}
  virtual void grid_ends(const launch_request&, cudaError_t) {}
  virtual void block_begins(uint3 /*block*/) {}
  virtual void block_ends(uint3 /*block*/) {}
  virtual void lane_begins(const lane_identity&) {}
  virtual void lane_ends(const lane_identity&) {}
  // All lanes of `present` have met.
  virtual void warp_meets(uint3 /*block*/, unsigned /*warp*/, warp_operation, unsigned /*mask*/,
                          unsigned /*present*/) {}
  virtual void block_meets(uint3 /*block*/, unsigned /*barrier*/) {}
  virtual void grid_meets() {}
  virtual void lane_yields(const lane_identity&) {}
};

// One observer at a time, and not while a grid runs; null: nobody, which is the default and free.
void observe(observer* who);

}  // namespace heddle_host
