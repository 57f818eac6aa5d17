// Where the program did something: the grids it launched and the stream operations it enqueued.
#pragma once
#include <map>
#include <set>
#include <string>

#include <heddle_host/finding.hpp>
#include <heddle_host/launch.hpp>

#include "checker/race/access.hpp"
#include "checker/streams/stream_operations.hpp"

namespace heddle_checker {

class locations {
 public:
  void add_grid(agent which, const heddle_host::launch_request& request);
  // A copy, fill or host function that a stream has run.
  void add_stream_work(agent which) { stream_work_.insert(which); }
  const stream_operation* keep(heddle_host::activity what, const call_chain& calls) {
    return operations_.keep(what, calls);
  }

  // What one side of a race, or one operation, was doing, and where.
  [[nodiscard]] heddle_host::lane_place place_of(const side& who) const;
  [[nodiscard]] static heddle_host::lane_place place_of(const stream_operation& what);
  // Adds the launch of a grid to a finding.
  void add_launch_of(agent grid, heddle_host::finding& to) const;

 private:
  struct grid_record {
    std::string kernel;
    dim3 grid, block;
    const stream_operation* launch;
  };
  [[nodiscard]] heddle_host::lane_place place_on_host(const side& who) const;

  std::map<agent, grid_record> grids_;
  std::set<agent> stream_work_;
  stream_operations operations_;
};

}  // namespace heddle_checker
