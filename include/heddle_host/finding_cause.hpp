// What can be wrong with a program: kinds of findings, their causes, and the facts of a cause.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

namespace heddle_host {

enum class finding_kind : unsigned char {
  mask,
  divergent_barrier,
  divergent_collective,
  deadlock,
  livelock,
  unfinished,  // no defect: the time for it was over
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
};

// What sets findings of one kind apart. The comment names the kinds that have the cause.
enum class finding_cause : unsigned char {
  none,                  // the kind says it all
  unordered,             // race; use_after_free: a kernel and a free in another stream
  scope,                 // race: an atomic operation whose scope leaves the other thread out
  size,                  // race: atomic operations of different sizes
  unfenced,              // race: data published through volatile accesses without a fence
  read_only_load,        // race: by __ldg, of what the kernel writes
  warp_synchronous,      // race: volatile accesses in place of __syncwarp()
  caller_outside_mask,   // mask
  different_operations,  // mask, divergent_collective: in lanes of one mask
  blocked_masks,         // mask: each lane waits for lanes that wait elsewhere
  source_exited,         // mask: a shuffle reads from that lane
  source_outside_mask,   // mask: the same
  source_missing,        // mask: the same; the block has no thread there
  split_group,           // divergent_collective: only some threads make a part of a group
  bad_barrier,           // divergent_barrier: its number or its thread count
  no_progress,           // unfinished: for the time limit
  standstill,            // deadlock, livelock: the threads wait, or repeat what they have done
  endless_loop,          // livelock: a thread repeats what it has done
  last_writer_exited,    // deadlock: the same, and the thread that has changed it last is gone
  index,                 // out_of_bounds: of an array of known size
  unmapped,              // out_of_bounds: no memory has this address
  ended_scope,           // use_after_free: of a local array
  exited_block,          // use_after_free: the shared memory of another block of the cluster
  freed_twice,           // use_after_free
  type_alignment,        // misaligned
  atomic_alignment,      // misaligned
  copy_source,           // misaligned: the address that an asynchronous copy reads
  copy_destination,      // misaligned: the one that it writes
  copy_size,             // misaligned: its size
  copy_direction,        // wrong_space: of cudaMemcpy and its like
  local_memory,          // wrong_space: of another thread
  host_memory,           // wrong_space: touched by a kernel
  device_memory,         // wrong_space: touched by the host
  constant_memory,       // wrong_space: written by a kernel
  not_of_heap,           // wrong_space: freed by a kernel
  different_results,     // schedule_dependent: what the program prints, or its exit code
  leaked_memory,         // leak
  leaked_heap_memory,    // leak: of the device's heap
  leaked_stream,         // leak
  leaked_event,          // leak
  arithmetic,            // crash
  illegal_instruction,   // crash
  too_many_expected,     // trap: by a cuda::barrier
  too_many_arrivals,     // trap: at a cuda::barrier
  bulk_copy_alignment,   // trap
  failed_call,           // api_error, use_after_free: a call of the host
  not_cooperative,       // api_error: grid.sync() in a plain launch
  members_ended,         // divergent_collective: others have come to the end of the kernel
  exited_threads,        // divergent_barrier: it waits only for those that are left; a note
};
inline constexpr std::size_t finding_causes =
    static_cast<std::size_t>(finding_cause::exited_threads) + 1;

struct array_index {
  std::int64_t index = 0;
  std::string array;  // its type, as the compiler writes it: 'float [5]'
};
struct alignment_rule {
  std::uint64_t multiple_of = 0;  // bytes; 0: the size must be 4, 8 or 16
  std::uint64_t size = 0;         // of an asynchronous copy
};
struct failed_assertion {
  std::string condition;
};
struct raised_signal {
  int number = 0;
  std::uint64_t address = 0;
};
struct time_limit {
  double seconds = 0;
};
struct stack_limit {
  std::uint64_t bytes = 0;
};
// Of a race: which access the program wants to come first cannot be told. Else it is the second
// place.
struct unknown_order {};
struct cuda_error {
  std::string name;  // cudaErrorInvalidValue
  std::string text;  // CUDA's: invalid argument
};

// What only this finding knows, besides its places and its memory.
using finding_fact =
    std::variant<std::monostate, array_index, alignment_rule, failed_assertion, raised_signal,
                 time_limit, stack_limit, unknown_order, cuda_error>;

}  // namespace heddle_host
