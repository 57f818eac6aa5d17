// The table of kinds: worst first.
#include "report/check/kinds.hpp"

#include <algorithm>
#include <array>

namespace heddle_report {
namespace {

using heddle_host::finding_kind;

constexpr std::array table{
    defect_kind{finding_kind::race, "race",
                "two threads touch the same bytes, one of them writes, and nothing orders them",
                "either may come first, and the result depends on which does",
                "a barrier between the two, or atomic operations", true},
    defect_kind{finding_kind::out_of_bounds, "out-of-bounds",
                "a thread touches memory outside of the array or allocation",
                "on a GPU this reads or overwrites whatever lies there, or ends the program",
                "compare the index with the size before the access, or allocate enough", true},
    defect_kind{finding_kind::use_after_free, "use-after-free",
                "a thread touches memory that was freed",
                "the memory may belong to somebody else by then",
                "free it after the last kernel that uses it has ended", true},
    defect_kind{finding_kind::uninitialized, "uninitialized",
                "the result depends on bytes that nobody has written",
                "fresh memory holds anything: with other bytes in it the run goes another way",
                "write the bytes first: cudaMemset, a copy, or a store and a barrier", true},
    defect_kind{
        finding_kind::mask, "mask",
        "the mask of a warp operation and the lanes that call it do not agree",
        "every lane named in the mask must call the same operation with the same mask, and a "
        "lane must name itself",
        "take the mask before the branch (__ballot_sync of its condition), or move the "
        "operation out of the branch",
        true},
    defect_kind{
        finding_kind::divergent_barrier, "divergent-barrier",
        "threads of a block meet at different barriers",
        "a barrier is for all threads of the block: it may stand in a branch only if all of "
        "them take it",
        "move __syncthreads() out of the branch or loop", true},
    defect_kind{finding_kind::divergent_collective, "divergent-collective",
                "only a part of a group's threads makes a collective call",
                "groups are made, and collectives called, by all members of the parent group",
                "call it before the branch, or make the group from those that take it", true},
    defect_kind{finding_kind::deadlock, "deadlock", "every thread that is left waits for another",
                "what they wait for can never happen", "let all of them come to the same place",
                true},
    defect_kind{finding_kind::livelock, "livelock", "a kernel runs, but never comes to an end",
                "what it waits for never happens, or its loop has no end",
                "a loop that ends; a value that others write is read by an atomic or volatile load",
                true},
    defect_kind{finding_kind::misaligned, "misaligned",
                "an address is no multiple of what its type needs",
                "a GPU ends the kernel with cudaErrorMisalignedAddress",
                "align the pointer, or copy the bytes with memcpy", true},
    defect_kind{finding_kind::wrong_space, "wrong-space",
                "host memory is used on the device, or the other way round",
                "the two have separate memories",
                "copy the data with cudaMemcpy, or use "
                "cudaMallocManaged",
                true},
    defect_kind{finding_kind::aba, "aba",
                "a compare-and-swap succeeds on a value that went away and came back",
                "what the thread has read in between is no longer true",
                "a counter beside the pointer, swapped together with it", true},
    defect_kind{finding_kind::schedule_dependent, "schedule-dependent",
                "the result depends on which lanes happen to run together",
                "__activemask() and coalesced_threads() tell who is here by chance",
                "__ballot_sync of the branch's condition, taken before the branch", true},
    defect_kind{finding_kind::assertion, "assert", "a kernel's own assertion does not hold",
                "the kernel says so itself",
                "look at the condition: the values are those of the thread that is named", true},
    defect_kind{finding_kind::api_error, "api-error",
                "a call of CUDA is wrong, or its error is not looked at",
                "the call has done nothing, and the program goes on as if it had",
                "look at what the call returns", true},
    defect_kind{finding_kind::trap, "trap", "a kernel called __trap()", "the kernel says so itself",
                "look at the condition before the call", true},
    defect_kind{finding_kind::stack_overflow, "stack-overflow", "a thread has used up its stack",
                "recursion too deep, or local arrays too large",
                "cudaDeviceSetLimit(cudaLimitStackSize, bytes), or less recursion", true},
    defect_kind{finding_kind::crash, "crash", "a kernel did something that the processor refuses",
                "the same would end the kernel on a GPU, or give any result",
                "look at the line with `heddle check --gdb --replay …`", true},
    defect_kind{finding_kind::leak, "leak", "memory, a stream or an event is never given back",
                "a program that goes on like this runs out of it",
                "cudaFree, cudaStreamDestroy or cudaEventDestroy on every way out", false},
    // Not a defect, so all_kinds() leaves it out.
    defect_kind{finding_kind::unfinished, "unfinished", "a kernel was stopped before its end",
                "it may be slow, or hang: nothing shows that it never ends",
                "--timeout or HEDDLE_TIMEOUT sets the limit in seconds; 0 means none", true},
};

}  // namespace

std::span<const defect_kind> all_kinds() { return std::span(table).first(table.size() - 1); }

const defect_kind* find_kind(std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const defect_kind& one) { return name == one.name; });
  return found == table.end() ? nullptr : &*found;
}

const defect_kind& find_kind(finding_kind which) {
  return *std::find_if(table.begin(), table.end(),
                       [&](const defect_kind& one) { return which == one.kind; });
}

std::string names_of_kinds() {
  std::string names;
  for (const defect_kind& one : all_kinds())
    names += (names.empty() ? "" : ", ") + std::string(one.name);
  return names;
}

}  // namespace heddle_report
