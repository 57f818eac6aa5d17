// The events of a run, for whoever wants to check or measure it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include <heddle_host/async_copy.hpp>
#include <heddle_host/finding.hpp>
#include <heddle_host/launch.hpp>
#include <heddle_host/meeting.hpp>

namespace heddle_host {

// The moment when a stream has done so many pieces of work.
struct work_point {
  std::uint64_t stream;
  std::uint64_t number;
};

enum class memory_kind : unsigned char { device, managed, pinned, registered, symbol };
enum class handle_kind : unsigned char { stream, event, graph, executable_graph };

struct failed_call {
  cudaError_t error;
  const void* subject;  // the address or handle that it did not like; null: nothing of that kind
  bool is_wrong_space;  // the address is not of the memory that the call was told
  const char* kernel;   // the signature of the one that was to be launched; else null
  const std::vector<const void*>* launched_by;  // the host's calls of that launch; else null
};

// The memory that a block's threads share.
struct block_memory {
  std::uint64_t linear_block;
  unsigned threads;
  unsigned char* shared;
  std::size_t shared_bytes;
  unsigned char* dynamic_shared;
  std::size_t dynamic_shared_bytes;
};

struct lane_copy {
  const void* to;
  const void* from;
  std::size_t bytes;
  const void* code;
};

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
  // Behind block_begins. What it returns is lane_now.observed as long as a lane of the block runs.
  virtual void* block_has_memory(const block_memory&) { return nullptr; }
  // All blocks of a cluster have their memory, and none of their lanes has begun. `observed`: what
  // block_has_memory has returned for each of them.
  virtual void cluster_begins(void* const* /*observed*/, unsigned /*blocks*/) {}
  virtual void block_ends(uint3 /*block*/) {}
  virtual void lane_begins(const lane_identity&) {}
  virtual void lane_ends(const lane_identity&) {}
  // By a timer, in the running lane: a digest of its registers and stack. A lane without any other
  // event may be back in a state that it was in before.
  virtual void lane_is_sampled(std::uint64_t /*state*/, const void* /*code*/) {}
  // All lanes of `present` have met.
  virtual void warp_meets(uint3 /*block*/, unsigned /*warp*/, warp_operation, unsigned /*mask*/,
                          unsigned /*present*/) {}
  virtual void block_meets(uint3 /*block*/, unsigned /*barrier*/) {}
  // The same, with the lanes of each warp that have met: at a barrier of the block, or on a tile of
  // several warps.
  virtual void threads_meet(const std::uint32_t* /*lanes_of_warp*/, unsigned /*warps*/,
                            bool /*are_all*/) {}
  // The running lane arrives at a named barrier and does not wait there.
  virtual void lane_passes_barrier(unsigned /*barrier*/) {}
  // Behind threads_meet, if some of the arrived did not wait: those who did come after them.
  virtual void passed_barrier_is_complete(unsigned /*barrier*/,
                                          const std::uint32_t* /*lanes_of_warp*/) {}
  // Threads that have come to the barrier of their block by different instructions, one place for
  // each of these.
  virtual void barrier_has_places(const std::vector<lane_place>&) {}
  // Threads have met that are not all: at a barrier of the block which a thread does not reach
  // since it has exited, or to make a part of a group, where a thread that belongs to it has come
  // to the end of the kernel instead. One place for each instruction of those who are there.
  virtual void meeting_lacks_thread(const std::vector<lane_place>& /*present*/,
                                    lane_place /*absent*/, unsigned /*absent_thread*/,
                                    bool /*makes_group*/) {}
  virtual void grid_meets() {}
  // Whether, since this was asked last, lanes have polled and nothing has happened that they might
  // be waiting for: no change of memory, no begin or end of a lane.
  virtual bool have_lanes_only_polled() { return true; }
  // `observed`: as in cluster_begins.
  virtual void cluster_meets(void* const* /*observed*/, unsigned /*blocks*/) {}
  virtual void fence_runs(memory_scope, const void* /*code*/) {}
  // Asynchronous copies of the running lane, which may happen at any time until somebody has waited
  // for them: async_copy.hpp says how.
  virtual void lane_copies(const lane_copy&) {}
  virtual void copy_needs_alignment(const lane_copy&, std::size_t /*alignment*/) {}
  virtual void copies_are_committed(copy_queue) {}
  virtual void copies_are_awaited(copy_queue, std::size_t /*all_but*/, bool /*reads_only*/) {}
  virtual void barrier_takes_copies(const void* /*barrier*/) {}
  virtual void phase_ends(const void* /*barrier*/) {}
  virtual void phase_is_awaited(const void* /*barrier*/) {}
  // Memory that the host got from CUDA and gave back to it.
  virtual void memory_begins(const void* /*base*/, std::size_t /*bytes*/, memory_kind) {}
  virtual void memory_ends(const void* /*base*/, std::size_t /*bytes*/, memory_kind) {}
  // Work of streams: the moment of the host's call gets a name, and when the work begins it is told
  // what stands before it besides the work of its own stream; then the place that it has there.
  virtual std::uint64_t work_is_submitted() { return 0; }
  virtual void work_begins(std::uint64_t /*submitted*/, std::uint64_t /*stream*/,
                           const work_point* /*before*/, std::size_t /*count*/) {}
  virtual void work_ends(std::uint64_t /*stream*/, std::uint64_t /*number*/) {}
  // A thread of the host calls CUDA, and comes back; such calls may be nested.
  virtual void host_call_begins() {}
  virtual void host_call_ends() {}
  // A thread of the host waits for a stream that has not done its work.
  virtual void host_is_to_wait() {}
  // The host knows from now on that a stream has done so much.
  virtual void host_has_waited(std::uint64_t /*stream*/, std::uint64_t /*number*/) {}
  // Copies and fills that the host asked for, when they happen; `from` null: a fill.
  virtual void bytes_arrive(void* /*to*/, const void* /*from*/, std::size_t /*bytes*/) {}
  virtual void lane_yields(const lane_identity&) {}
  virtual void lane_asks_for_time() {}
  // A shuffle will give the lane the value of another one, by its number in the warp, that has
  // exited or is not in the mask.
  virtual void lane_reads_absent_lane(const lane_place& /*reader*/, unsigned /*absent*/,
                                      bool /*has_exited*/) {}
  // The schedule has parted lanes that asked together who is active; one place of theirs.
  virtual void active_lanes_are_parted(const lane_place&) {}
  // Streams and events of the host.
  virtual void handle_begins(const void* /*handle*/, handle_kind) {}
  virtual void handle_ends(const void* /*handle*/, handle_kind) {}
  // A call of the host ends with an error, on the thread that has called.
  virtual void call_fails(const failed_call&) {}
};

// One observer at a time, and not while a grid runs; null: nobody, which is the default and free.
void observe(observer* who);
observer* current_observer();

}  // namespace heddle_host
