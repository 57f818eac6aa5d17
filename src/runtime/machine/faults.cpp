// Turns a crash in a lane into a finding, and a preemption signal into a switch to another lane.
#include "machine/faults.hpp"

#include <link.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <mutex>
#include <optional>
#include <string>

#include <heddle_host/fault.hpp>
#include <heddle_host/observer.hpp>
#include <heddle_host/options.hpp>
#include <heddle_host/progress.hpp>
#include <heddle_host/run_policy.hpp>
#include <heddle_host/schedule.hpp>
#include <heddle_host/turn.hpp>

#include "machine/block_state.hpp"
#include "machine/grid_state.hpp"
#include "machine/lane_samples.hpp"
#include "machine/worker.hpp"

namespace heddle_host {
namespace {

constexpr std::size_t signal_stack_bytes = 128 * 1024;
constexpr std::array crash_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL};
thread_local void* signal_stack = nullptr;
std::array<struct sigaction, crash_signals.size()> earlier_handlers;

struct code_range {
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::uintptr_t> end{0};
};
std::array<code_range, 64> kernel_code;
std::atomic<unsigned> kernel_code_ranges{0};
// The address sanitizer is linked into a kernel's module, which is clang++'s default.
std::atomic<bool> sanitizer_is_beside_kernels{false};

const void* interrupted_code(const void* context) {
  const auto* state = static_cast<const ucontext_t*>(context);
#if defined(__aarch64__)
  return reinterpret_cast<const void*>(state->uc_mcontext.pc);
#elif defined(__x86_64__)
  return reinterpret_cast<const void*>(state->uc_mcontext.gregs[REG_RIP]);
#else
#error "heddle runs on x86-64 and aarch64"
#endif
}

bool is_kernel_code(const void* code) {
  const auto address = reinterpret_cast<std::uintptr_t>(code);
  const unsigned ranges = kernel_code_ranges.load(std::memory_order_acquire);
  for (unsigned i = 0; i < ranges; ++i) {
    if (address >= kernel_code[i].begin && address < kernel_code[i].end) return true;
  }
  return false;
}

void on_crash(int signal, siginfo_t* info, void* context) {
  if (!in_lane() || lane_now.block->has_crashed()) {
    // Not a kernel, or a kernel that has destroyed what a report needs. Restore the earlier
    // handler, possibly a sanitizer's; it runs when the instruction is executed again.
    for (std::size_t i = 0; i < crash_signals.size(); ++i)
      if (crash_signals[i] == signal) sigaction(signal, &earlier_handlers[i], nullptr);
    return;
  }
  lane_now.may_be_preempted = false;
  lane_now.runs_row = false;
  const crash_site here{signal, info->si_addr, interrupted_code(context),
                        worker::of_this_thread().guards(info->si_addr)};
  if (lane_now.runs_together || lane_now.runs_block) lane_now.block->repeat_lanes(here);
  lane_now.block->crash(here);
}

// Lanes that run in a loop are not preempted, but the grid may have to end.
void look_at_loop(const void* context) {
  if (has_new_state(context)) note_progress();
  const grid_state& grid = lane_now.block->grid();
  if (!grid.has_failed() && !grid.has_timed_out.load(std::memory_order_relaxed)) return;
  const void* code = interrupted_code(context);
  if (!is_kernel_code(code)) return;
  lane_now.runs_row = false;
  lane_now.block->yield_lane(code, true);  // does not return
}

void on_preemption(int, siginfo_t*, void* context) {
  if (!in_lane()) return;
  if (lane_now.runs_row || lane_now.runs_block) return look_at_loop(context);
  if (!lane_now.may_be_preempted) return;
  // Checked runs are deterministic, so the clock may end them but not preempt them. The same holds
  // next to a sanitizer: its functions must not be interrupted, and their code looks like the
  // kernel's.
  const bool only_ends =
      !policy().preempts_by_timer || sanitizer_is_beside_kernels.load(std::memory_order_relaxed);
  const void* code = interrupted_code(context);
  if (observer* const watching = current_observer();
      watching != nullptr && policy().samples_lanes && is_kernel_code(code)) {
    lane_now.may_be_preempted = false;
    if (const auto state = state_of_lane(context)) watching->lane_is_sampled(*state, code);
    lane_now.may_be_preempted = true;
  } else if (!policy().samples_lanes && has_new_state(context)) {
    note_progress();
  }
  if (only_ends && !lane_now.block->grid().has_timed_out.load(std::memory_order_relaxed)) return;
  if (!is_kernel_code(code)) return;
  const int error = errno;
  lane_now.may_be_preempted = false;
  lane_now.block->yield_lane(code, true);
  lane_now.may_be_preempted = true;
  errno = error;
}

void install_handlers() {
  struct sigaction crash {};
  crash.sa_sigaction = on_crash;
  // The handler leaves by switching to another fiber, so the signal must not stay blocked.
  crash.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&crash.sa_mask);
  for (std::size_t i = 0; i < crash_signals.size(); ++i)
    sigaction(crash_signals[i], &crash, &earlier_handlers[i]);

  struct sigaction preemption {};
  preemption.sa_sigaction = on_preemption;
  preemption.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER;
  sigemptyset(&preemption.sa_mask);
  sigaction(preemption_signal(), &preemption, nullptr);
}

}  // namespace

// Ignored by default, passed on silently by debuggers, and never queued: a thread that was off the
// processor for a while gets one signal, not a hundred.
int preemption_signal() { return SIGURG; }

void prepare_thread_for_faults() {
  static std::once_flag once;
  std::call_once(once, install_handlers);
  void* memory =
      mmap(nullptr, signal_stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  signal_stack = memory;
  stack_t alternate{};
  alternate.ss_sp = memory;
  alternate.ss_size = signal_stack_bytes;
  sigaltstack(&alternate, nullptr);
}

void release_thread_from_faults() {
  if (signal_stack == nullptr) return;
  stack_t off{};
  off.ss_flags = SS_DISABLE;
  sigaltstack(&off, nullptr);
  munmap(signal_stack, signal_stack_bytes);
  signal_stack = nullptr;
}

void allow_preemption_in_module_of(const void* code) {
  if (is_kernel_code(code)) return;
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  const auto address = reinterpret_cast<std::uintptr_t>(code);
  dl_iterate_phdr(
      [](dl_phdr_info* module, std::size_t, void* wanted) {
        const auto inside = *static_cast<const std::uintptr_t*>(wanted);
        for (int i = 0; i < module->dlpi_phnum; ++i) {
          const auto& segment = module->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X)) continue;
          const std::uintptr_t begin = module->dlpi_addr + segment.p_vaddr;
          const std::uintptr_t end = begin + segment.p_memsz;
          if (inside < begin || inside >= end) continue;
          const unsigned next = kernel_code_ranges.load(std::memory_order_relaxed);
          if (next == kernel_code.size()) return 1;
          kernel_code[next].begin = begin;
          kernel_code[next].end = end;
          kernel_code_ranges.store(next + 1, std::memory_order_release);
          const auto sanitizer = reinterpret_cast<std::uintptr_t>(&__sanitizer_start_switch_fiber);
          if (sanitizer >= begin && sanitizer < end) sanitizer_is_beside_kernels = true;
          return 1;
        }
        return 0;
      },
      const_cast<std::uintptr_t*>(&address));
}

finding describe_crash(const crash_site& crash) {
  finding what{finding_kind::crash, cudaErrorLaunchFailure,
               lane_now.block->grid().request().kernel->signature};
  what.fact = raised_signal{crash.signal, reinterpret_cast<std::uintptr_t>(crash.address)};
  switch (crash.signal) {
    case SIGSEGV:
    case SIGBUS:
      if (crash.is_in_guard_page) {
        what.kind = finding_kind::stack_overflow;
        what.fact = stack_limit{stack_bytes()};
      } else {
        what.kind = finding_kind::out_of_bounds;
        what.cause = finding_cause::unmapped;
        what.error = cudaErrorIllegalAddress;
      }
      break;
    case SIGFPE:
      what.cause = finding_cause::arithmetic;
      break;
    default:
      what.cause = finding_cause::illegal_instruction;
      what.error = cudaErrorIllegalInstruction;
  }
  what.places.push_back(place_of_running_lane(crash.code, false));
  return what;
}

finding describe_without_lane(const crash_site& crash) {
  finding what = describe_crash(crash);
  what.places.clear();
  return what;
}

lane_place place_of_running_lane(const void* code, bool is_return_address) {
  lane_place place = lane_now.block->place(lane_now.block->running_thread());
  place.doing = activity::running;
  place.code = is_return_address ? __builtin_extract_return_addr(const_cast<void*>(code)) : code;
  place.is_return_address = is_return_address;
  return place;
}

void fail_launch(finding_kind kind, finding_cause cause, cudaError_t error, const void* code,
                 finding_fact fact) {
  lane_now.may_be_preempted = false;
  block_state& block = *lane_now.block;
  finding what{kind,
               error,
               block.grid().request().kernel->signature,
               cause,
               {place_of_running_lane(code, true)}};
  what.fact = std::move(fact);
  block.fail(std::move(what));
}

void fail_launch(finding what) {
  lane_now.may_be_preempted = false;
  lane_now.block->fail(std::move(what));
}

std::optional<finding> describe_all_lanes(const void* code) {
  return worker::of_this_thread().describe_all_lanes(*lane_now.block, code);
}

memory_owner find_owner(const void* address) {
  if (lane_now.block->keeps(address)) return memory_owner::machine;
  worker& mine = worker::of_this_thread();
  const fiber* const whose = mine.find_fiber(address);
  if (whose == nullptr) return memory_owner::nobody;
  const bool is_mine = whose == mine.find_fiber(__builtin_frame_address(0));
  return is_mine ? memory_owner::running_lane : memory_owner::other_lane;
}

namespace {
void yield_at(const void* where, bool is_turn = false) {
  machine_section guard;
  const memory_scope scope = lane_now.atomic_scope;
  lane_now.spin_budget = spins_before_yield;
  lane_now.atomic_scope = memory_scope::device;
  lane_now.block->yield_lane(where, is_turn, is_turn);
  lane_now.atomic_scope = scope;
}
}  // namespace

void yield() {
  // Lanes that run in a loop do not wait. An atomic operation that changes nothing calls this, too.
  if (in_lane() && !lane_now.runs_row && !lane_now.runs_block)
    yield_at(__builtin_return_address(0));
}

void take_turn() {
  // A lane of a row cannot take turns: may_be_preempted is false for it.
  if (!in_lane() || !lane_now.may_be_preempted || lane_now.threads == 1) return;
  machine_section guard;
  lane_now.block->take_turn(__builtin_return_address(0));
}

void end_turn(const void* where) { yield_at(where, true); }

void note_progress() { lane_now.block->grid().progress.fetch_add(1, std::memory_order_relaxed); }

void nanosleep(unsigned) {
  if (in_lane()) yield_at(__builtin_return_address(0));
}

}  // namespace heddle_host
