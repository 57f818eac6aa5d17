// The table of kinds: worst first.
#include "report/check/kinds.hpp"

#include <algorithm>
#include <array>

namespace heddle_report {
namespace {

using heddle_host::finding_kind;

constexpr std::array table{
    defect_kind{finding_kind::race, "race",
                "two threads access the same memory, at least one of them writes, and nothing "
                "orders the accesses",
                "either access may happen first, and the result depends on which one does",
                "put a barrier between the two accesses, or make them atomic", true},
    defect_kind{finding_kind::out_of_bounds, "out-of-bounds",
                "a thread accesses memory outside an array or allocation",
                "on a GPU this reads or overwrites unrelated memory, or aborts the kernel",
                "check the index against the size before the access, or allocate more memory",
                true},
    defect_kind{finding_kind::use_after_free, "use-after-free",
                "a thread accesses memory that has been freed",
                "the memory may already be in use for something else",
                "free it only after the last kernel that uses it has finished", true},
    defect_kind{finding_kind::uninitialized, "uninitialized",
                "the result depends on memory that was never written",
                "memory that was never written can hold any value, and another value would change "
                "the result",
                "write the memory first: cudaMemset, a copy, or a store followed by a barrier",
                true},
    defect_kind{finding_kind::mask, "mask",
                "the mask of a warp operation does not match the lanes that call it",
                "every lane named in the mask must call the same operation with the same mask, and "
                "each calling lane must be named in its own mask",
                "compute the mask before the branch (__ballot_sync of its condition), or move the "
                "operation out of the branch",
                true},
    defect_kind{finding_kind::divergent_barrier, "divergent-barrier",
                "threads of a block wait at different barriers",
                "all threads of a block must reach the same barrier: it may be in a branch only if "
                "all of them take that branch",
                "move __syncthreads() out of the branch or loop", true},
    defect_kind{
        finding_kind::divergent_collective, "divergent-collective",
        "only some threads of a group make a collective call",
        "all threads of the parent group must take part in creating a group or calling a "
        "collective",
        "call it before the branch, or create the group from the threads that take the branch",
        true},
    defect_kind{finding_kind::deadlock, "deadlock", "every remaining thread waits for another",
                "what they wait for can never happen",
                "make all threads reach the same barrier or operation", true},
    defect_kind{
        finding_kind::livelock, "livelock", "a kernel runs but never finishes",
        "what it waits for never happens, or its loop never ends",
        "make the loop end; read values that other threads write with an atomic or volatile load",
        true},
    defect_kind{finding_kind::misaligned, "misaligned",
                "an address does not have the alignment that its type needs",
                "a GPU aborts the kernel with cudaErrorMisalignedAddress",
                "align the pointer, or copy the bytes with memcpy", true},
    defect_kind{finding_kind::wrong_space, "wrong-space",
                "the device accesses host memory, or the host accesses device memory",
                "host and device have separate memories",
                "copy the data with cudaMemcpy, or use "
                "cudaMallocManaged",
                true},
    defect_kind{finding_kind::aba, "aba",
                "a compare-and-swap succeeds on a value that changed and changed back",
                "what the thread read before the swap may be out of date",
                "put a version counter next to the pointer, and swap both together", true},
    defect_kind{
        finding_kind::schedule_dependent, "schedule-dependent",
        "the result depends on which lanes happen to run together",
        "__activemask() and coalesced_threads() return whichever lanes happen to be converged",
        "compute the mask before the branch, with __ballot_sync of its condition", true},
    defect_kind{finding_kind::assertion, "assert", "an assertion in a kernel failed",
                "the kernel checks this condition itself",
                "find out why the condition is false in the thread shown", true},
    defect_kind{finding_kind::api_error, "api-error", "a CUDA call fails, or its error is ignored",
                "the call had no effect, and the program continues as if it had succeeded",
                "check the error code that the call returns", true},
    defect_kind{finding_kind::trap, "trap", "a kernel called __trap()",
                "the kernel aborts itself with this call",
                "look at the condition that leads to the call", true},
    defect_kind{
        finding_kind::stack_overflow, "stack-overflow", "a thread ran out of stack",
        "recursion is too deep, or local arrays are too large",
        "raise the limit with cudaDeviceSetLimit(cudaLimitStackSize, bytes), or use less stack",
        true},
    defect_kind{finding_kind::crash, "crash", "a kernel raised a processor exception",
                "a GPU would abort the kernel or produce an undefined result",
                "look at the line with `heddle check --gdb --replay …`", true},
    defect_kind{finding_kind::leak, "leak", "memory, a stream or an event is never released",
                "a program that keeps leaking eventually runs out",
                "call cudaFree, cudaStreamDestroy or cudaEventDestroy on every exit path", false},
    defect_kind{finding_kind::wide_shift, "wide-shift",
                "a shift by at least the width of the value, or by a negative number",
                "C++ leaves such a shift undefined",
                "test the distance first, or mask it (`n & 31`) if it should wrap around", false},
    // Not a defect, so all_kinds() leaves it out.
    defect_kind{finding_kind::unfinished, "unfinished", "a kernel was stopped before it finished",
                "it may be slow or it may hang: this run does not show which",
                "set the limit with --timeout or HEDDLE_TIMEOUT, in seconds; 0 means no limit",
                true},
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
