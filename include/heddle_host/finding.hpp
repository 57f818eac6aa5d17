// What went wrong in a kernel, as a value: no text is made here.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <driver_types.h>
#include <vector_types.h>

namespace heddle_host {

enum class finding_kind {
  mask,
  divergent_barrier,
  divergent_collective,
  deadlock,
  livelock,
  out_of_bounds,
  assertion,
  trap,
  stack_overflow,
  crash,
  api_error,
};

// What a lane was doing.
enum class activity : unsigned char {
  running,
  exchanging,  // a warp operation that waits for its mask
  at_block_barrier,
  at_named_barrier,
  at_tile_barrier,
  at_grid_barrier,
  at_cluster_barrier,
  gathering_active_lanes,
  spinning,
};

struct lane_place {
  uint3 block;
  uint3 thread;
  unsigned warp;
  unsigned lane;
  activity doing;
  const void* code;  // the instruction, or the place a call returns to
  bool is_return_address;
  unsigned mask;  // of the warp operation, if any
};

struct finding {
  finding_kind kind;
  cudaError_t error;
  std::string kernel;  // its signature
  std::string detail;  // what only this finding knows: a condition, an address, a signal
  std::vector<lane_place> places;
};

// Who hears of findings. One listener; null: nobody.
using finding_listener = void (*)(const finding&);
void listen_to_findings(finding_listener listener);

}  // namespace heddle_host
