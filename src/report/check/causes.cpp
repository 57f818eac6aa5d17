// The table of causes.
#include "report/check/causes.hpp"

#include <algorithm>
#include <array>

namespace heddle_report {
namespace {

using heddle_host::finding_cause;

constexpr const char* fix_of_alignment =
    "align the variable with alignas, pad rows to that multiple, or use a copy that needs less "
    "alignment";

constexpr std::array<defect_cause, heddle_host::finding_causes> table{{
    {finding_cause::none, "none", "", "", ""},
    {finding_cause::unordered, "unordered", "nothing orders them", "", ""},
    {finding_cause::scope, "scope",
     "the scope of one atomic operation does not include the other thread",
     "an operation at block scope is atomic only among the threads of its block",
     "use device scope: atomicAdd instead of atomicAdd_block, or cuda::thread_scope_device"},
    {finding_cause::size, "size", "atomic operations of different sizes access the same bytes",
     "operations of different sizes are not atomic with respect to each other",
     "use one size for all atomic operations on these bytes"},
    {finding_cause::unfenced, "unfenced",
     "it is published through volatile or atomic accesses, but without a fence",
     "volatile accesses do not order memory: a thread that sees the flag may still read the old "
     "data",
     "call __threadfence() between storing the data and the flag, and between loading the flag and "
     "the data"},
    {finding_cause::read_only_load, "read-only-load",
     "it is read through the read-only cache, which does not see stores from the same kernel",
     "__ldg may return the old value, even after a barrier",
     "use a plain load or __ldcg for memory that the kernel writes"},
    {finding_cause::warp_synchronous, "warp-synchronous",
     "volatile accesses do not order the lanes of a warp",
     "the lanes of a warp run independently: one may read before another has written",
     "call __syncwarp() between the steps, or use a shuffle instead of memory"},
    {finding_cause::caller_outside_mask, "caller-outside-mask",
     "the calling lane is not in its own mask", "", ""},
    {finding_cause::different_operations, "different-operations",
     "lanes named in one mask wait in different operations", "", ""},
    {finding_cause::blocked_masks, "blocked-masks",
     "no lane can continue: each waits for lanes in its mask that wait elsewhere", "", ""},
    {finding_cause::source_exited, "source-exited", "a shuffle reads from a lane that has exited",
     "",
     "keep all lanes until the last warp operation, and let idle lanes contribute a neutral value"},
    {finding_cause::source_outside_mask, "source-outside-mask",
     "a shuffle reads from a lane that is not in its mask", "", ""},
    {finding_cause::source_missing, "source-missing",
     "a shuffle reads from a lane that does not exist: the last warp of the block is partial",
     "lanes past the last thread of the block have no value",
     "make the block size a multiple of 32, or shuffle only among lanes that exist"},
    {finding_cause::split_group, "split-group",
     "only some threads of a group take part in partitioning it; the others wait elsewhere", "",
     ""},
    {finding_cause::bad_barrier, "bad-barrier",
     "a named barrier needs a number from 0 to 15 and a thread count that is a multiple of 32", "",
     ""},
    {finding_cause::no_progress, "no-progress",
     "no thread of the kernel started, finished or reached a barrier or warp operation for a long "
     "time",
     "", ""},
    {finding_cause::standstill, "standstill",
     "every remaining thread waits, or loops forever without making progress", "", ""},
    {finding_cause::endless_loop, "endless-loop", "a thread loops forever without making progress",
     "", ""},
    {finding_cause::last_writer_exited, "last-writer-exited",
     "every remaining thread waits, or loops forever without making progress; the thread that last "
     "wrote the value they poll has exited",
     "", "make each thread release what it holds on every exit path"},
    {finding_cause::index, "index", "an index is out of bounds for its array", "", ""},
    {finding_cause::unmapped, "unmapped", "a thread accesses an unmapped address", "", ""},
    {finding_cause::ended_scope, "ended-scope", "a local array is used after the end of its scope",
     "the array's memory may already hold something else",
     "declare the array in the scope that uses it"},
    {finding_cause::exited_block, "exited-block",
     "shared memory of another block of the cluster is used after that block has exited",
     "a block's shared memory exists only until the block exits",
     "call cluster.sync() after the last access to other blocks' shared memory, before any block "
     "returns"},
    {finding_cause::freed_twice, "freed-twice", "memory is freed twice", "",
     "free it once, in the thread that uses it last"},
    {finding_cause::type_alignment, "type-alignment",
     "the address does not have the alignment that the type needs", "", ""},
    {finding_cause::atomic_alignment, "atomic-alignment",
     "the address of an atomic operation is not a multiple of its size", "", ""},
    {finding_cause::copy_source, "copy-source",
     "the address that an asynchronous copy reads from is misaligned", "", fix_of_alignment},
    {finding_cause::copy_destination, "copy-destination",
     "the address that an asynchronous copy writes to is misaligned", "", fix_of_alignment},
    {finding_cause::copy_size, "copy-size", "an asynchronous copy has an unsupported size",
     "a GPU copies more or fewer bytes, or aborts the kernel",
     "copy a supported size, with room for it in source and destination, or use a copy without "
     "this requirement"},
    {finding_cause::copy_direction, "copy-direction",
     "the direction of the copy does not match its pointers", "",
     "use cudaMemcpyDefault, which derives the direction from the pointers, or the direction that "
     "matches them"},
    {finding_cause::local_memory, "local-memory",
     "a thread accesses the local memory of another thread",
     "local memory is private: on a GPU the same address refers to different memory in each thread",
     "exchange data between threads through shared memory or a shuffle"},
    {finding_cause::host_memory, "host-memory",
     "a kernel accesses host memory that is not pinned, registered or managed", "", ""},
    {finding_cause::device_memory, "device-memory", "the host accesses device memory", "", ""},
    {finding_cause::constant_memory, "constant-memory", "a kernel writes a __constant__ variable",
     "constant memory is read-only on the device",
     "use cudaMemcpyToSymbol before the launch, or a __device__ variable"},
    {finding_cause::not_of_heap, "not-of-heap",
     "a thread frees memory that is not from the device heap", "",
     "use free() or delete in a kernel only for what a kernel has allocated, and cudaFree() for "
     "the rest"},
    {finding_cause::different_results, "different-results",
     "the program's output or exit code depends on the schedule",
     "lanes, warps and blocks may run in any order on a GPU, so each of these results is possible",
     "order the accesses that decide the result; if all results are correct, use --suppress"},
    {finding_cause::leaked_memory, "memory", "memory is never freed", "",
     "call cudaFree on every exit path"},
    {finding_cause::leaked_heap_memory, "heap-memory", "device heap memory is never freed", "",
     "call free() or delete in a kernel on every exit path"},
    {finding_cause::leaked_stream, "stream", "a stream is never destroyed", "",
     "call cudaStreamDestroy on every exit path"},
    {finding_cause::leaked_event, "event", "an event is never destroyed", "",
     "call cudaEventDestroy on every exit path"},
    {finding_cause::arithmetic, "arithmetic",
     "an integer is divided by zero, or the quotient overflows", "", ""},
    {finding_cause::illegal_instruction, "illegal-instruction",
     "a kernel executed an illegal instruction", "", ""},
    {finding_cause::too_many_expected, "too-many-expected",
     "a barrier is initialised with more than 2^20 - 1 arrivals", "its counter cannot hold more",
     "initialise the barrier with a smaller count"},
    {finding_cause::too_many_arrivals, "too-many-arrivals",
     "more threads arrive at a barrier than it expects",
     "from then on the barrier's counts are wrong",
     "initialise the barrier with the number of arrivals per phase"},
    {finding_cause::bulk_copy_alignment, "bulk-copy-alignment",
     "a bulk copy needs addresses and a size that are multiples of 16 bytes",
     "on a GPU the result of such a copy is undefined", fix_of_alignment},
    {finding_cause::failed_call, "failed-call", "a call fails", "", ""},
    {finding_cause::not_cooperative, "not-cooperative", "grid.sync() needs a cooperative launch",
     "only a cooperative launch guarantees that all blocks of the grid are resident",
     "launch the kernel with cudaLaunchCooperativeKernel, or with cudaLaunchKernelEx and "
     "cudaLaunchAttributeCooperative"},
    {finding_cause::members_ended, "members-ended",
     "only some threads of a group take part in partitioning it; others return from the kernel "
     "first",
     "", ""},
    {finding_cause::exited_threads, "exited-threads",
     "threads have exited before a barrier of their block",
     "from Volta on, the barrier waits only for the remaining threads; but the CUDA programming "
     "guide requires all threads, and compute-sanitizer's synccheck reports it",
     "keep all threads until the last barrier, and let idle threads skip the work", true},
    {finding_cause::shifted_out, "shifted-out", "a shift moves every bit out of the value",
     "C++ leaves such a shift undefined, so the compiler may assume that it never happens; "
     "the GPU's instruction gives 0, or the sign in every bit",
     "", true},
}};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (static_cast<std::size_t>(table[i].cause) != i) return false;
  }
  return true;
}
static_assert(is_in_order(), "the table has a row for each cause, in the order of the enumeration");

}  // namespace

std::span<const defect_cause> all_causes() { return table; }

const defect_cause& cause_of(finding_cause which) { return table[static_cast<std::size_t>(which)]; }

const defect_cause* find_cause(std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const defect_cause& one) { return name == one.name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace heddle_report
