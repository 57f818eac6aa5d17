// The table of causes.
#include "report/check/causes.hpp"

#include <algorithm>
#include <array>

namespace heddle_report {
namespace {

using heddle_host::finding_cause;

constexpr const char* fix_of_alignment =
    "alignas for a variable, rows that begin at such multiples, or a copy that needs less";

constexpr std::array<defect_cause, heddle_host::finding_causes> table{{
    {finding_cause::none, "none", "", "", ""},
    {finding_cause::unordered, "unordered", "nothing orders them", "", ""},
    {finding_cause::scope, "scope", "the scope of one atomic operation leaves the other thread out",
     "an operation at block scope is atomic only among the threads of its block",
     "device scope: atomicAdd in place of atomicAdd_block, cuda::thread_scope_device"},
    {finding_cause::size, "size", "atomic operations on overlapping bytes are not of the same size",
     "operations of different sizes are not atomic towards each other",
     "one size for all atomic operations on these bytes"},
    {finding_cause::unfenced, "unfenced",
     "it is published through volatile or atomic accesses without a fence",
     "volatile accesses order nothing: a thread that has seen the flag may still read the old data",
     "__threadfence() between the stores of the data and of the flag, and between their loads"},
    {finding_cause::read_only_load, "read-only-load",
     "it is read through the read-only cache, which does not see stores of the same kernel",
     "__ldg may return what the memory held before, barriers or not",
     "a plain load, or __ldcg, for memory that the kernel writes"},
    {finding_cause::warp_synchronous, "warp-synchronous",
     "volatile accesses do not order the lanes of a warp",
     "the lanes of a warp run independently: one may read before another has written",
     "__syncwarp() between the steps, or a shuffle in place of the memory"},
    {finding_cause::caller_outside_mask, "caller-outside-mask",
     "the calling lane is not in its own mask", "", ""},
    {finding_cause::different_operations, "different-operations",
     "lanes of one mask wait in different operations", "", ""},
    {finding_cause::blocked_masks, "blocked-masks",
     "no lane can go on: each waits for lanes of its mask that wait elsewhere", "", ""},
    {finding_cause::source_exited, "source-exited",
     "a shuffle reads the value of a lane that has exited", "",
     "let all lanes stay until the last warp operation, the idle ones with a value that changes "
     "nothing"},
    {finding_cause::source_outside_mask, "source-outside-mask",
     "a shuffle reads the value of a lane that is not in its mask", "", ""},
    {finding_cause::source_missing, "source-missing",
     "a shuffle reads the value of a lane that does not exist: the last warp of the block is not "
     "full",
     "the lanes behind the last thread of a block have no value to give",
     "blocks of whole warps, or shuffles that stay among the lanes that the warp has"},
    {finding_cause::split_group, "split-group",
     "only some threads of a group make a part of it, and the others wait elsewhere", "", ""},
    {finding_cause::bad_barrier, "bad-barrier",
     "a barrier has a number from 0 to 15 and a thread count that is a multiple of 32", "", ""},
    {finding_cause::no_progress, "no-progress",
     "none of the kernel's threads began, ended or met others for a long time", "", ""},
    {finding_cause::standstill, "standstill",
     "every thread that is left waits, or repeats for ever what it has done before", "", ""},
    {finding_cause::endless_loop, "endless-loop",
     "a thread repeats for ever what it has done before", "", ""},
    {finding_cause::last_writer_exited, "last-writer-exited",
     "every thread that is left waits, or repeats for ever what it has done before; the thread "
     "that changed what they look at last has exited",
     "", "let each thread give back what it holds on every way out"},
    {finding_cause::index, "index", "an index leaves its array", "", ""},
    {finding_cause::unmapped, "unmapped", "no memory has the address of an access", "", ""},
    {finding_cause::ended_scope, "ended-scope", "a local array is used after the end of its scope",
     "the memory of the array may hold something else by then",
     "declare the array in the scope that uses it"},
    {finding_cause::exited_block, "exited-block",
     "shared memory of another block of the cluster is used after that block has exited",
     "the shared memory of a block ends with the block",
     "cluster.sync() after the last access to the shared memory of other blocks, before any of "
     "them "
     "returns"},
    {finding_cause::freed_twice, "freed-twice", "memory is freed twice", "",
     "free it once: by the thread that uses it last"},
    {finding_cause::type_alignment, "type-alignment",
     "the address is no multiple of the bytes that the type needs", "", ""},
    {finding_cause::atomic_alignment, "atomic-alignment",
     "the address of an atomic operation is no multiple of its size", "", ""},
    {finding_cause::copy_source, "copy-source",
     "the address that an asynchronous copy reads from is misaligned", "", fix_of_alignment},
    {finding_cause::copy_destination, "copy-destination",
     "the address that an asynchronous copy writes to is misaligned", "", fix_of_alignment},
    {finding_cause::copy_size, "copy-size", "an asynchronous copy has a size that is not offered",
     "a GPU copies more bytes or fewer, or ends the kernel",
     "whole multiples, with room for them on both sides, or a copy that needs less"},
    {finding_cause::copy_direction, "copy-direction",
     "the direction of the copy does not suit the memory of its pointers", "",
     "cudaMemcpyDefault, which looks at the pointers, or the direction that suits them"},
    {finding_cause::local_memory, "local-memory",
     "a thread touches the local memory of another thread",
     "local memory is private: on a GPU the same address is other memory in each thread",
     "shared memory for what threads of a block exchange, or a shuffle"},
    {finding_cause::host_memory, "host-memory",
     "a kernel touches memory of the host that is neither pinned, registered nor managed", "", ""},
    {finding_cause::device_memory, "device-memory", "the host touches memory of the device", "",
     ""},
    {finding_cause::constant_memory, "constant-memory", "a kernel writes a __constant__ variable",
     "constant memory is read-only on the device",
     "cudaMemcpyToSymbol before the launch, or a __device__ variable"},
    {finding_cause::not_of_heap, "not-of-heap",
     "a thread frees memory that does not come from the device's heap", "",
     "free() and delete in a kernel for what a kernel has allocated, cudaFree() for the rest"},
    {finding_cause::different_results, "different-results",
     "the program prints something else, or returns another exit code, under another schedule",
     "lanes, warps and blocks may run in any order on a GPU, so either result may come out",
     "order the accesses that decide the result; --suppress, if all results are right"},
    {finding_cause::leaked_memory, "memory", "memory is never freed", "",
     "cudaFree on every way out"},
    {finding_cause::leaked_heap_memory, "heap-memory", "memory of the device's heap is never freed",
     "", "free() or delete in a kernel, on every way out"},
    {finding_cause::leaked_stream, "stream", "a stream is never destroyed", "",
     "cudaStreamDestroy on every way out"},
    {finding_cause::leaked_event, "event", "an event is never destroyed", "",
     "cudaEventDestroy on every way out"},
    {finding_cause::arithmetic, "arithmetic",
     "an integer is divided by zero, or the quotient is too large", "", ""},
    {finding_cause::illegal_instruction, "illegal-instruction",
     "the processor does not know an instruction", "", ""},
    {finding_cause::too_many_expected, "too-many-expected",
     "a barrier expects at most 2^20 - 1 arrivals", "its counter has no room for more",
     "initialise the barrier with fewer"},
    {finding_cause::too_many_arrivals, "too-many-arrivals",
     "more threads arrive at a barrier than it expects", "the barrier's counts are wrong from then",
     "initialise the barrier with the number of arrivals of a phase"},
    {finding_cause::bulk_copy_alignment, "bulk-copy-alignment",
     "a bulk copy needs addresses and a size in whole 16 bytes",
     "a GPU leaves undefined what such a copy does", fix_of_alignment},
    {finding_cause::failed_call, "failed-call", "a call fails", "", ""},
    {finding_cause::not_cooperative, "not-cooperative", "grid.sync() needs a cooperative launch",
     "the kernel calls what only another kind of launch gives it",
     "launch it so: cudaLaunchCooperativeKernel, or cudaLaunchKernelEx with the attribute"},
    {finding_cause::members_ended, "members-ended",
     "only some threads of a group make a part of it, and others come to the end of the kernel "
     "without it",
     "", ""},
    {finding_cause::exited_threads, "exited-threads",
     "threads have exited before a barrier of their block",
     "from Volta on the barrier waits for the threads that are left; CUDA's guide asks for all of "
     "them, and synccheck of compute-sanitizer reports it",
     "let all threads stay until the last barrier, the idle ones without work", true},
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
