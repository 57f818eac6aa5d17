// What can be wrong with a program: the kinds of findings and their causes.
#pragma once
#include <cstddef>

namespace heddle_host {

enum class finding_kind : unsigned char {
  mask,
  divergent_barrier,
  divergent_collective,
  deadlock,
  livelock,
  unfinished,  // not a defect: the time limit expired
  race,
  out_of_bounds,
  use_after_free,
  misaligned,
  wrong_space,
  uninitialized,
  aba,
  schedule_dependent,
  leak,
  assertion,
  trap,
  stack_overflow,
  crash,
  api_error,
  wide_shift,
};

// Distinguishes findings of one kind. Each comment names the kinds that have the cause.
enum class finding_cause : unsigned char {
  none,                  // the kind says everything
  unordered,             // race; use_after_free: a kernel and a free in another stream
  scope,                 // race: the scope of an atomic operation excludes the other thread
  size,                  // race: atomic operations of different sizes
  unfenced,              // race: data published through volatile accesses without a fence
  read_only_load,        // race: __ldg of memory that the kernel writes
  warp_synchronous,      // race: volatile accesses in place of __syncwarp()
  caller_outside_mask,   // mask
  different_operations,  // mask, divergent_collective: in lanes of one mask
  blocked_masks,         // mask: each lane waits for lanes that wait elsewhere
  source_exited,         // mask: a shuffle reads from that lane
  source_outside_mask,   // mask: a shuffle reads from that lane
  source_missing,        // mask: a shuffle reads from a lane that the block does not have
  split_group,           // divergent_collective: only some threads partition a group
  bad_barrier,           // divergent_barrier: bad number or thread count
  no_progress,           // unfinished: no progress within the time limit
  standstill,            // deadlock, livelock: threads wait, or repeat the same steps
  endless_loop,          // livelock: a thread repeats the same steps
  last_writer_exited,    // deadlock: as standstill, and the last thread to write the location
                         // exited
  index,                 // out_of_bounds: index into an array of known size
  unmapped,              // out_of_bounds: no memory at this address
  ended_scope,           // use_after_free: a local array after its scope
  exited_block,          // use_after_free: shared memory of another block of the cluster
  freed_twice,           // use_after_free
  type_alignment,        // misaligned
  atomic_alignment,      // misaligned
  copy_source,           // misaligned: source address of an asynchronous copy
  copy_destination,      // misaligned: its destination address
  copy_size,             // misaligned: its size
  copy_direction,        // wrong_space: cudaMemcpy and similar calls
  local_memory,          // wrong_space: local memory of another thread
  host_memory,           // wrong_space: accessed by a kernel
  device_memory,         // wrong_space: accessed by the host
  constant_memory,       // wrong_space: written by a kernel
  not_of_heap,           // wrong_space: freed by a kernel
  different_results,     // schedule_dependent: the output or the exit code
  leaked_memory,         // leak
  leaked_heap_memory,    // leak: from the device heap
  leaked_stream,         // leak
  leaked_event,          // leak
  arithmetic,            // crash
  illegal_instruction,   // crash
  too_many_expected,     // trap: the expected count of a cuda::barrier
  too_many_arrivals,     // trap: at a cuda::barrier
  bulk_copy_alignment,   // trap
  failed_call,           // api_error, use_after_free: a host call
  not_cooperative,       // api_error: grid.sync() in a plain launch
  members_ended,         // divergent_collective: the others have reached the end of the kernel
  exited_threads,        // divergent_barrier: waits only for the threads that remain; a note
  shifted_out,           // wide_shift: a GPU shifts everything out; a note
};
inline constexpr std::size_t finding_causes =
    static_cast<std::size_t>(finding_cause::shifted_out) + 1;

}  // namespace heddle_host
