// Machine code, as far as it says where a program goes on.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heddle_report {

enum class instruction_set : unsigned char { aarch64, x86_64 };

// Machine code and the address of its first byte.
struct code_bytes {
  std::span<const unsigned char> bytes;
  std::uint64_t begin = 0;
};

enum class flow : unsigned char {
  next,    // goes on with the next instruction
  call,    // as well, after a function whose address is in the instruction
  branch,  // goes on with the next instruction or at the target
  jump,    // goes on at the target
  end      // returns, stops, or goes on where only the running program knows
};

struct instruction {
  unsigned bytes = 0;  // 0: it is not understood
  flow goes = flow::end;
  std::uint64_t target = 0;  // of a call, a branch or a jump
};

instruction read_instruction(const code_bytes& code, std::uint64_t address, instruction_set set);

struct direct_call {
  std::uint64_t at = 0;
  std::uint64_t returns_to = 0;
  std::uint64_t target = 0;
};

// All calls whose target is in the instruction, by address. Instructions of x86-64 begin anywhere,
// so that other bytes may look like a call there: a target that nobody would call tells them apart.
std::vector<direct_call> find_direct_calls(const code_bytes& code, instruction_set set);

// Where a stub that the linker has made for a function of another file (PLT) finds the address to
// jump to. Nothing: this is no such stub.
std::optional<std::uint64_t> slot_of_stub(const code_bytes& code, std::uint64_t stub,
                                          instruction_set set);

}  // namespace heddle_report
