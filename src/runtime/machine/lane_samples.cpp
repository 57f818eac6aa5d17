// Hashes registers and stacks, and stores the hashes in a Bloom filter.
#include "machine/lane_samples.hpp"

#include <signal.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <span>

#include <heddle_host/schedule.hpp>

namespace heddle_host {
namespace {

// Also of memory between variables, which the address sanitizer guards.
[[gnu::no_sanitize_address]] std::uint64_t mixed(std::uint64_t state, const void* from,
                                                 std::size_t bytes) {
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes; at += sizeof(std::uint64_t)) {
    std::uint64_t word;
    __builtin_memcpy(&word, static_cast<const char*>(from) + at, sizeof word);
    state = (state ^ word) * 0x9e3779b97f4a7c15u;
    state ^= state >> 29;
  }
  return state;
}

struct private_state {
  std::uint64_t registers;  // a hash, without the program counter and the flags
  std::uint64_t place;      // the program counter and the flags
  std::uintptr_t stack;     // the lowest address in use
};

private_state read(const void* context) {
  const mcontext_t& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__aarch64__)
  std::uint64_t registers = mixed(0, machine.regs, sizeof machine.regs);
  registers = mixed(registers, machine.__reserved, sizeof(fpsimd_context));
  return {registers, machine.pc ^ machine.pstate, machine.sp};
#else
  constexpr std::uintptr_t red_zone = 128;
  const auto& general = machine.gregs;
  // The registers before the instruction pointer are the general ones.
  std::uint64_t registers = mixed(0, general, REG_RIP * sizeof general[0]);
  if (machine.fpregs != nullptr)
    registers = mixed(registers, machine.fpregs->_xmm, sizeof machine.fpregs->_xmm);
  return {registers,
          static_cast<std::uint64_t>(general[REG_RIP]) ^
              static_cast<std::uint64_t>(general[REG_EFL]) << 48,
          static_cast<std::uintptr_t>(general[REG_RSP]) - red_zone};
#endif
}

// The states of all lanes since the last clear. It is cleared before too many bits are set.
class state_filter {
 public:
  // Adds a state; true if it is new.
  bool add(std::uint64_t state) {
    bool is_new = false;
    for (int probe = 0; probe < probes; ++probe) {
      state = (state ^ state >> 31) * 0xd6e8feb86659fd93u;
      const std::uint64_t bit = std::uint64_t{1} << (state >> 58);
      auto& word = words_[state % words_.size()];
      if ((word.fetch_or(bit, std::memory_order_relaxed) & bit) == 0) is_new = true;
    }
    if (is_new && states_.fetch_add(1, std::memory_order_relaxed) == capacity) {
      for (auto& word : words_) word.store(0, std::memory_order_relaxed);
      states_.store(0, std::memory_order_relaxed);
    }
    return is_new;
  }

 private:
  static constexpr int probes = 4;
  static constexpr unsigned capacity = 200'000;  // states; they set at most 0.8 of 2 million bits
  std::array<std::atomic<std::uint64_t>, 32'771> words_{};
  std::atomic<unsigned> states_{0};
};
state_filter seen;

// Empty if the stack is about to overflow, or if the interrupted code ran on another stack: the
// thread sanitizer delays a signal until the thread makes a system call, which another lane may do.
// The handler's own frame is below those of the lane that it interrupted.
std::span<const std::byte> used_stack(const private_state& lane) {
  const auto handler = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const auto end = reinterpret_cast<std::uintptr_t>(end_of_running_stack());
  if (lane.stack < handler || lane.stack > end) return {};
  return {reinterpret_cast<const std::byte*>(lane.stack), end - lane.stack};
}

}  // namespace

std::optional<std::uint64_t> state_of_lane(const void* context) {
  const private_state now = read(context);
  const auto stack = used_stack(now);
  if (stack.empty()) return std::nullopt;
  return mixed(now.registers ^ now.place, stack.data(), stack.size());
}

bool has_new_state(const void* context) {
  constexpr std::size_t most_bytes = 4096;
  const private_state now = read(context);
  const auto stack = used_stack(now);
  if (stack.empty()) return false;
  return seen.add(mixed(now.registers, stack.data(), std::min(stack.size(), most_bytes)));
}

}  // namespace heddle_host
