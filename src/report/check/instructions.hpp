// Decodes machine code far enough to follow a program's control flow.
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
  next,    // continues with the next instruction
  call,    // calls the target, then continues with the next instruction
  branch,  // continues with the next instruction or at the target
  jump,    // continues at the target
  end      // returns, stops, or jumps to an address known only at run time
};

struct instruction {
  unsigned bytes = 0;  // 0: not understood
  flow goes = flow::end;
  std::uint64_t target = 0;  // of a call, a branch or a jump
};

instruction read_instruction(const code_bytes& code, std::uint64_t address, instruction_set set);

struct direct_call {
  std::uint64_t at = 0;
  std::uint64_t returns_to = 0;
  std::uint64_t target = 0;
};

// All calls whose target is encoded in the instruction, by address. On x86-64 an instruction may
// begin at any byte, so data can look like a call; its target is then hardly ever the start
// of a function.
std::vector<direct_call> find_direct_calls(const code_bytes& code, instruction_set set);

// The address of the pointer that a PLT stub jumps through. Nothing if this is not a PLT stub.
std::optional<std::uint64_t> slot_of_stub(const code_bytes& code, std::uint64_t stub,
                                          instruction_set set);

}  // namespace heddle_report
