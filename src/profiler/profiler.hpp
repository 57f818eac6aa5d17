// Observes everything that the lanes of a profiled program do, and counts it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include <heddle_host/arena.hpp>
#include <heddle_host/lane.hpp>
#include <heddle_host/observer.hpp>

#include "counters.hpp"
#include "lined_up.hpp"
#include "request.hpp"
#include "shared_words.hpp"

namespace heddle_profiler {

// A run of a source block by lanes of a warp; kept until all of them have left the block.
struct block_run {
  std::uint32_t mask = 0;
  std::uint32_t inside = 0;
  unsigned number = 0;        // of the block
  const void* way = nullptr;  // where the first lane that left went
  unsigned on_way = 0;        // lanes that went there
  const void* branch = nullptr;
  bool is_parted = false;
  bool is_closed = false;  // no lane will join it
};

struct open_run {
  std::uint32_t mask = 0;
  block_run* run = nullptr;
};

struct lane_record {
  block_run* inside = nullptr;
  const void* comparison = nullptr;  // the last one in the lane's current block
  const char* met = nullptr;         // the kind of a meeting whose line is not yet known
  unsigned met_lanes = 0;
  bool is_updating = false;  // inside an atomic that the runtime composes of several operations
};

struct warp_record {
  std::uint32_t live = 0;
  std::array<lane_record, lanes_per_warp> lanes{};
  places_of_warp<request> requests;
  places_of_warp<open_run> runs;
};

struct block_record {
  heddle_host::block_memory memory{};
  std::vector<warp_record> warps;
  bool is_running = false;
};

class profiler final : public heddle_host::observer {
 public:
  profiler() : arena_(heddle_host::checked_arena()) {}

  // Called from the running lane's own code.
  void lane_touches(std::uintptr_t address, std::size_t bytes, operation what, const void* code);
  void lane_touches_range(std::uintptr_t address, std::size_t bytes, operation what,
                          const void* code);
  void lane_does_atomic(std::uintptr_t address, std::size_t bytes, operation what,
                        const void* code) {
    if (running_lane().is_updating) return;  // part of an update that has been counted
    lane_touches(address, bytes, what, code);
    take_turns(code);
  }
  void lane_enters_block(const void* code);
  void lane_compares(const void* code) { running_lane().comparison = code; }
  void lane_has_met(const void* code);
  void lane_fences(heddle_host::memory_scope reach, const void* code);
  void begin_update(std::uintptr_t address, std::size_t bytes, const void* code);
  void end_update() { running_lane().is_updating = false; }
  // Lets other lanes run now and then, so that lanes stay close to each other.
  void take_turns(const void* code);

  void add_variable(std::uintptr_t begin, std::size_t bytes) {
    variables_.push_back({begin, bytes});
  }
  [[nodiscard]] const profile& counted() const { return counted_; }

  // observer
  void grid_begins(const heddle_host::launch_request& request) override;
  void grid_ends(const heddle_host::launch_request& request, cudaError_t how) override;
  void* block_has_memory(const heddle_host::block_memory& memory) override;
  void block_ends(uint3 block) override;
  void lane_begins(const heddle_host::lane_identity& who) override;
  void lane_ends(const heddle_host::lane_identity& who) override;
  void warp_meets(uint3 block, unsigned warp, heddle_host::warp_operation, unsigned mask,
                  unsigned present) override;
  void block_meets(uint3 block, unsigned barrier) override;
  void threads_meet(const std::uint32_t* lanes_of_warp, unsigned warps, bool are_all) override;
  void grid_meets() override;
  void cluster_meets(void* const* observed, unsigned blocks) override;
  void fence_runs(heddle_host::memory_scope reach, const void* code) override {
    lane_fences(reach, code);
  }
  void lane_copies(const heddle_host::lane_copy& what) override;
  void memory_begins(const void* base, std::size_t bytes, heddle_host::memory_kind) override;
  void memory_ends(const void* base, std::size_t bytes, heddle_host::memory_kind) override;

 private:
  [[nodiscard]] static block_record& running_block() {
    return *static_cast<block_record*>(heddle_host::lane_now.observed);
  }
  [[nodiscard]] static unsigned running_lane_number() {
    return heddle_host::lane_now.thread % lanes_per_warp;
  }
  [[nodiscard]] static warp_record& running_warp() {
    return running_block().warps[heddle_host::lane_now.thread / lanes_per_warp];
  }
  [[nodiscard]] static lane_record& running_lane() {
    return running_warp().lanes[running_lane_number()];
  }
  // Null if the address is neither global nor shared.
  [[nodiscard]] const memory_space* space_of(std::uintptr_t address) const;
  unsigned number_of_site(const void* code, memory_space space, operation what);
  void count(unsigned site, const request& done);
  void join_block(unsigned number);
  void leave_block(lane_record& who, unsigned lane, const void* way);
  void close(block_run* run);
  void count(block_run* run);
  void meet(warp_record& who, std::uint32_t lanes, const char* kind);
  void note_meeting(warp_record& who, std::uint32_t lanes, const char* kind);
  void forget_times(warp_record& who, std::uint32_t lanes);
  void count_meeting(lane_record& leader, const void* code);

  heddle_host::address_range arena_;
  profile counted_;
  std::unordered_map<std::string, std::size_t> kernels_;
  kernel_profile* kernel_ = nullptr;
  std::unordered_map<std::uint64_t, unsigned> site_numbers_;
  std::unordered_map<const void*, unsigned> block_numbers_;
  std::deque<block_record> blocks_;
  std::vector<block_record*> idle_blocks_;
  std::vector<heddle_host::address_range> variables_;   // device variables, in static storage
  std::vector<heddle_host::address_range> registered_;  // registered host memory
  std::deque<block_run> runs_;
  std::vector<block_run*> idle_runs_;
  shared_words words_;
  const char* next_barrier_ = nullptr;
  unsigned until_turn_ = 1;
};

// Null until the profiler has started: static constructors may run earlier.
extern profiler* profiler_in_force;

// While one exists, what runs is the profiler's code, not the lane's.
class profiler_section {
 public:
  profiler_section() { heddle_host::leave_lane_code(); }
  ~profiler_section() { heddle_host::enter_lane_code(); }
  profiler_section(const profiler_section&) = delete;
  profiler_section& operator=(const profiler_section&) = delete;
};

// Whether the lane's own code is running, and not the runtime or the host.
[[gnu::always_inline]] inline bool is_lane_code() {
  return heddle_host::in_lane() && heddle_host::lane_now.may_be_preempted &&
         profiler_in_force != nullptr;
}

}  // namespace heddle_profiler
