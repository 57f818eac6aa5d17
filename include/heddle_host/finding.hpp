// What went wrong in a kernel, as a value; src/report turns it into sentences.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <driver_types.h>
#include <vector_types.h>

#include <heddle_host/declaration_place.hpp>
#include <heddle_host/finding_cause.hpp>
#include <heddle_host/finding_fact.hpp>

namespace heddle_host {

// What a lane was doing.
enum class activity : unsigned char {
  running,
  exchanging,  // at a warp operation that waits for its mask
  at_block_barrier,
  at_named_barrier,
  at_tile_barrier,
  at_grid_barrier,
  at_cluster_barrier,
  gathering_active_lanes,
  making_group,  // cooperative groups: waits for the rest of the parent group
  spinning,
  reading,
  writing,
  updating,  // an atomic operation that reads and writes
  exiting,
  copying_from,  // one side of a copy made by the host
  copying_to,
  filling,
  launching,
};

// Who acted: lanes and the host act themselves; streams do what the host has asked for.
enum class actor : unsigned char { lane, host, stream };

struct lane_place {
  uint3 block;
  uint3 thread;
  unsigned warp;
  unsigned lane;
  activity doing;
  const void* code;  // the instruction, or the return address of a call
  bool is_return_address;
  unsigned mask;                 // of the warp operation, if any
  const char* kernel = nullptr;  // its signature, if it is not the finding's kernel
  actor who = actor::lane;
  // The host's call stack, innermost call first, in place of `code`; never freed.
  const std::vector<const void*>* calls = nullptr;
  bool is_copy = false;  // done by an asynchronous copy that the lane issued
};

// The memory that a finding is about.
struct memory_spot {
  std::string variable;       // its name, if it has one
  bool is_shared = false;     // belongs to a block
  std::ptrdiff_t offset = 0;  // of the access, from the start of the allocation
  std::size_t access_bytes = 0;
  std::size_t bytes = 0;                  // of the allocation; 0 if none is near
  std::vector<const void*> allocated_at;  // the host's call stack, innermost first
  std::vector<const void*> freed_at;
  declaration_place declared = {};  // of a variable
};

struct finding {
  finding_kind kind;
  cudaError_t error;
  std::string kernel;  // its signature
  finding_cause cause = finding_cause::none;
  std::vector<lane_place> places = {};
  finding_fact fact = {};  // what is specific to this finding: an index, a condition, a CUDA error
  std::optional<memory_spot> memory = {};
  // For a race in unknown order: the code that each lane has run, in order.
  std::vector<std::vector<const void*>> texts = {};
  std::uint64_t count = 1;  // times it was seen
  // A defect only if it matters; another run decides that.
  bool is_candidate = false;
};

// Receives findings. There is at most one listener; null removes it.
using finding_listener = void (*)(const finding&);
void listen_to_findings(finding_listener listener);

}  // namespace heddle_host
