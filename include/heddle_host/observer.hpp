// The events of a run, for tools that check or measure it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include <heddle_host/async_copy.hpp>
#include <heddle_host/finding.hpp>
#include <heddle_host/launch.hpp>
#include <heddle_host/meeting.hpp>

namespace heddle_host {

// The moment when a stream has completed `number` operations.
struct work_point {
  std::uint64_t stream;
  std::uint64_t number;
};

enum class memory_kind : unsigned char { device, managed, pinned, registered, symbol };
enum class handle_kind : unsigned char { stream, event, graph, executable_graph };

struct failed_call {
  cudaError_t error;
  const void* subject;  // the offending address or handle; null if none
  bool is_wrong_space;  // the address is not in the memory space that the call names
  const char* kernel;   // the signature of the kernel to launch; else null
  const std::vector<const void*>* launched_by;  // the host's call stack of that launch; else null
  const void* lane_code;                        // where the running lane made the call; else null
  exceeded_limit limit;                         // of that launch
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

// Each function is called on the thread where the event happens; blocks run in parallel.
class observer {
 public:
  virtual ~observer() = default;
  virtual void grid_begins(const launch_request&) {}
  virtual void grid_ends(const launch_request&, cudaError_t) {}
  virtual void block_begins(uint3 /*block*/) {}
  // After block_begins. The result becomes lane_now.observed while a lane of the block runs.
  virtual void* block_has_memory(const block_memory&) { return nullptr; }
  // All blocks of a cluster have their memory, and none of their lanes has started. `observed`
  // holds the result of block_has_memory for each of them.
  virtual void cluster_begins(void* const* /*observed*/, unsigned /*blocks*/) {}
  virtual void block_ends(uint3 /*block*/) {}
  virtual void lane_begins(const lane_identity&) {}
  virtual void lane_ends(const lane_identity&) {}
  // By a timer, in the running lane: a digest of its registers and stack. A lane without any other
  // event may be back in a state that it was in before.
  virtual void lane_is_sampled(std::uint64_t /*state*/, const void* /*code*/) {}
  // All lanes of `present` have arrived.
  virtual void warp_meets(uint3 /*block*/, unsigned /*warp*/, warp_operation, unsigned /*mask*/,
                          unsigned /*present*/) {}
  virtual void block_meets(uint3 /*block*/, unsigned /*barrier*/) {}
  // The same, with the lanes of each warp that have arrived: at a barrier of the block, or of a
  // tile of several warps.
  virtual void threads_meet(const std::uint32_t* /*lanes_of_warp*/, unsigned /*warps*/,
                            bool /*are_all*/) {}
  // The running lane arrives at a named barrier and does not wait there.
  virtual void lane_passes_barrier(unsigned /*barrier*/) {}
  // After threads_meet, if some threads arrived without waiting: those that waited are ordered
  // after them.
  virtual void passed_barrier_is_complete(unsigned /*barrier*/,
                                          const std::uint32_t* /*lanes_of_warp*/) {}
  // Threads have reached their block's barrier by different instructions; one place for each
  // instruction.
  virtual void barrier_has_places(const std::vector<lane_place>&) {}
  // A barrier or collective completed without all its threads: a barrier of the block that an
  // exited thread cannot reach, or the partition of a group where a member has reached the end of
  // the kernel instead. One place for each instruction at which threads are present.
  virtual void meeting_lacks_thread(const std::vector<lane_place>& /*present*/,
                                    lane_place /*absent*/, unsigned /*absent_thread*/,
                                    bool /*makes_group*/) {}
  virtual void grid_meets() {}
  // Whether, since the last call, lanes have polled and nothing has happened that they could be
  // waiting for: memory unchanged, no lane started or exited.
  virtual bool have_lanes_only_polled() { return true; }
  // `observed` as in cluster_begins.
  virtual void cluster_meets(void* const* /*observed*/, unsigned /*blocks*/) {}
  virtual void fence_runs(memory_scope, const void* /*code*/) {}
  // Asynchronous copies of the running lane. They may happen at any time until someone has waited
  // for them; see async_copy.hpp.
  virtual void lane_copies(const lane_copy&) {}
  virtual void copy_needs_alignment(const lane_copy&, std::size_t /*alignment*/) {}
  virtual void copies_are_committed(copy_queue) {}
  virtual void copies_are_awaited(copy_queue, std::size_t /*all_but*/, bool /*reads_only*/) {}
  virtual void barrier_takes_copies(const void* /*barrier*/) {}
  virtual void phase_ends(const void* /*barrier*/) {}
  virtual void phase_is_awaited(const void* /*barrier*/) {}
  // Memory that the host allocated or freed through CUDA.
  virtual void memory_begins(const void* /*base*/, std::size_t /*bytes*/, memory_kind) {}
  virtual void memory_ends(const void* /*base*/, std::size_t /*bytes*/, memory_kind) {}
  // Stream operations. work_is_submitted names the moment of the host's call. work_begins lists
  // what is ordered before the operation, besides earlier work of its stream. work_ends gives its
  // number in the stream.
  virtual std::uint64_t work_is_submitted() { return 0; }
  virtual void work_begins(std::uint64_t /*submitted*/, std::uint64_t /*stream*/,
                           const work_point* /*before*/, std::size_t /*count*/) {}
  virtual void work_ends(std::uint64_t /*stream*/, std::uint64_t /*number*/) {}
  // Children are what the lanes of a grid launch. The running lane launches the child with this
  // number.
  virtual void child_is_launched(std::uint64_t /*child*/, const void* /*code*/) {}
  // The children of a grid run one after another, once its blocks have ended. `before` lists those
  // that streams and events order before this one.
  virtual void child_begins(std::uint64_t /*child*/, const std::uint64_t* /*before*/,
                            std::size_t /*count*/) {}
  virtual void child_ends(std::uint64_t /*child*/) {}
  // All children of a grid have ended. They happen before whatever this thread does next.
  virtual void children_are_done(const std::uint64_t* /*children*/, std::size_t /*count*/) {}
  // A host thread enters a CUDA call and returns from it; such calls may be nested.
  virtual void host_call_begins() {}
  virtual void host_call_ends() {}
  // A host thread is about to wait for a stream with unfinished work.
  virtual void host_is_to_wait() {}
  // From now on the host knows that the stream has completed `number` operations.
  virtual void host_has_waited(std::uint64_t /*stream*/, std::uint64_t /*number*/) {}
  // Copies and fills that the host asked for, when they happen; a null `from` is a fill.
  virtual void bytes_arrive(void* /*to*/, const void* /*from*/, std::size_t /*bytes*/) {}
  virtual void lane_yields(const lane_identity&) {}
  virtual void lane_asks_for_time() {}
  // A shuffle will give the lane the value of a lane that has exited or is not in the mask;
  // `absent` is its number in the warp.
  virtual void lane_reads_absent_lane(const lane_place& /*reader*/, unsigned /*absent*/,
                                      bool /*has_exited*/) {}
  // The running lane shifts a value of `width` bits by at least that many, or by a negative number.
  virtual void lane_shifts_all_bits(int /*distance*/, unsigned /*width*/, const void* /*code*/) {}
  // The schedule split lanes that asked together who is active; the place of one of them.
  virtual void active_lanes_are_parted(const lane_place&) {}
  // Stream, event and graph handles of the host.
  virtual void handle_begins(const void* /*handle*/, handle_kind) {}
  virtual void handle_ends(const void* /*handle*/, handle_kind) {}
  // A host call fails, on the calling thread.
  virtual void call_fails(const failed_call&) {}
};

// Sets the only observer, while no grid runs; null, the default, means none and costs nothing.
void observe(observer* who);
observer* current_observer();

}  // namespace heddle_host
