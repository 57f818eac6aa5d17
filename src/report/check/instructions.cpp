// Decodes control flow on AArch64, and instruction lengths and jumps on x86-64.
#include "report/check/instructions.hpp"

#include <array>
#include <cstring>

namespace heddle_report {
namespace {

// Reads zeros past the end of the code.
template <typename T>
T number_at(const code_bytes& code, std::size_t offset) {
  T number = 0;
  if (offset < code.bytes.size() && code.bytes.size() - offset >= sizeof number) {
    std::memcpy(&number, code.bytes.data() + offset, sizeof number);
  }
  return number;
}
std::uint32_t word_at(const code_bytes& code, std::size_t offset) {
  return number_at<std::uint32_t>(code, offset);
}
std::uint8_t byte_at(const code_bytes& code, std::size_t offset) {
  return number_at<std::uint8_t>(code, offset);
}

// Sign-extends the lowest `bits` bits.
std::int64_t signed_number(std::uint64_t value, unsigned bits) {
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  return static_cast<std::int64_t>(((value & (2 * sign - 1)) ^ sign) - sign);
}

std::uint64_t moved(std::uint64_t from, std::int64_t by) {
  return from + static_cast<std::uint64_t>(by);
}

instruction read_aarch64(const code_bytes& code, std::uint64_t address) {
  const std::size_t offset = address - code.begin;
  if (offset >= code.bytes.size() || code.bytes.size() - offset < 4) return {};
  const std::uint32_t word = word_at(code, offset);
  const auto to = [&](unsigned lowest, unsigned bits) {
    return moved(address, 4 * signed_number(word >> lowest, bits));
  };
  if (word >> 26 == 0b100101) return {4, flow::call, to(0, 26)};                 // bl
  if (word >> 26 == 0b000101) return {4, flow::jump, to(0, 26)};                 // b
  if (word >> 24 == 0b01010100) return {4, flow::branch, to(5, 19)};             // b.cond
  if ((word >> 25 & 0b111111) == 0b011010) return {4, flow::branch, to(5, 19)};  // cbz, cbnz
  if ((word >> 25 & 0b111111) == 0b011011) return {4, flow::branch, to(5, 14)};  // tbz, tbnz
  const bool is_blr = (word >> 21 & 0b111) == 1;
  if (word >> 25 == 0b1101011 && !is_blr) return {4, flow::end, 0};  // br, ret
  const bool is_brk = word >> 21 == 0b11010100001;
  const bool is_udf = word >> 16 == 0;
  return {4, is_brk || is_udf ? flow::end : flow::next, 0};
}

// What follows the opcode of an x86-64 instruction.
struct operands {
  bool has_modrm = false;
  unsigned immediate = 0;  // bytes
  bool is_known = true;
};

// One-byte opcodes. `wide` is the size of an immediate that depends on the operand size.
operands operands_of_byte(unsigned opcode, unsigned modrm, unsigned wide, bool is_64_bits) {
  if (opcode < 0x40) {
    const unsigned form = opcode & 7;
    if (form < 4) return {true, 0};
    if (form == 4) return {false, 1};
    if (form == 5) return {false, wide};
    return {false, 0, false};
  }
  if (opcode >= 0x50 && opcode < 0x60) return {false, 0};  // push, pop
  if (opcode >= 0x70 && opcode < 0x80) return {false, 1};  // jumps
  if (opcode >= 0x84 && opcode < 0x90) return {true, 0};
  if (opcode >= 0x90 && opcode < 0xa0) return {false, 0, opcode != 0x9a};
  if (opcode >= 0xb0 && opcode < 0xb8) return {false, 1};
  if (opcode >= 0xb8 && opcode < 0xc0) return {false, is_64_bits ? 8 : wide};
  if (opcode >= 0xd8 && opcode < 0xe0) return {true, 0};  // x87
  switch (opcode) {
    case 0x63:
      return {true, 0};  // movslq
    case 0x68:
      return {false, wide};
    case 0x69:
    case 0x81:
    case 0xc7:
      return {true, wide};
    case 0x6a:
    case 0xa8:
    case 0xcd:
    case 0xe0:
    case 0xe1:
    case 0xe2:
    case 0xe3:
    case 0xeb:
      return {false, 1};
    case 0x6b:
    case 0x80:
    case 0x83:
    case 0xc0:
    case 0xc1:
    case 0xc6:
      return {true, 1};
    case 0xa9:
      return {false, wide};
    case 0xc2:
      return {false, 2};
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3:
    case 0xfe:
    case 0xff:
      return {true, 0};
    case 0xe8:
    case 0xe9:
      return {false, 4};
    case 0xf6:
      return {true, (modrm >> 3 & 7) < 2 ? 1u : 0u};  // test has an immediate
    case 0xf7:
      return {true, (modrm >> 3 & 7) < 2 ? wide : 0u};
    case 0xa4:
    case 0xa5:
    case 0xa6:
    case 0xa7:
    case 0xaa:
    case 0xab:
    case 0xac:
    case 0xad:
    case 0xae:
    case 0xaf:
    case 0xc3:
    case 0xc9:
    case 0xcc:
    case 0xf4:
    case 0xf5:
    case 0xf8:
    case 0xf9:
    case 0xfc:
    case 0xfd:
      return {false, 0};
    default:
      return {false, 0, false};
  }
}

// Opcodes after 0f, also in VEX and EVEX encodings.
operands operands_of_second_map(unsigned opcode) {
  if (opcode >= 0x80 && opcode < 0x90) return {false, 4};  // jumps
  if ((opcode >= 0x70 && opcode < 0x74) || opcode == 0xa4 || opcode == 0xac || opcode == 0xba ||
      opcode == 0xc2 || (opcode >= 0xc4 && opcode < 0xc7)) {
    return {true, 1};
  }
  const bool is_alone = opcode == 0x05 || opcode == 0x0b || opcode == 0x31 || opcode == 0x77 ||
                        opcode == 0xa2 || (opcode >= 0xc8 && opcode < 0xd0) || opcode == 0xa0 ||
                        opcode == 0xa1 || opcode == 0xa8 || opcode == 0xa9;
  return {!is_alone, 0};
}

// Size in bytes of ModRM, SIB and displacement.
unsigned bytes_of_modrm(const code_bytes& code, std::size_t offset) {
  const unsigned modrm = byte_at(code, offset);
  const unsigned mode = modrm >> 6;
  const unsigned place = modrm & 7;
  if (mode == 3) return 1;
  unsigned bytes = 1;
  unsigned base = place;
  if (place == 4) {  // SIB
    base = byte_at(code, offset + 1) & 7;
    ++bytes;
  }
  if (mode == 1) return bytes + 1;
  if (mode == 2) return bytes + 4;
  return base == 5 ? bytes + 4 : bytes;
}

struct prefixes {
  std::size_t bytes = 0;
  bool has_16_bits = false;
  bool has_64_bits = false;
};

prefixes read_prefixes(const code_bytes& code, std::size_t offset) {
  prefixes read;
  for (;; ++read.bytes) {
    switch (byte_at(code, offset + read.bytes)) {
      case 0x66:
        read.has_16_bits = true;
        continue;
      case 0x26:
      case 0x2e:
      case 0x36:
      case 0x3e:
      case 0x64:
      case 0x65:
      case 0x67:
      case 0xf0:
      case 0xf2:
      case 0xf3:
        continue;
      default:
        break;
    }
    break;
  }
  if ((byte_at(code, offset + read.bytes) & 0xf0) == 0x40) {  // REX
    read.has_64_bits = (byte_at(code, offset + read.bytes) & 8) != 0;
    ++read.bytes;
  }
  return read;
}

// An opcode: its map (1: one byte; 2: after 0f; 3: after 0f 38; 4: after 0f 3a), and where its
// operands begin.
struct opcode_place {
  unsigned map = 1;
  unsigned opcode = 0;
  std::size_t behind = 0;
};

opcode_place read_opcode(const code_bytes& code, std::size_t at) {
  const auto vex = [&](unsigned map, std::size_t opcode) {
    return opcode_place{map + 1, byte_at(code, opcode), opcode + 1};
  };
  const unsigned first = byte_at(code, at);
  if (first == 0xc5) return vex(1, at + 2);
  if (first == 0xc4) return vex(byte_at(code, at + 1) & 0x1f, at + 3);
  if (first == 0x62) return vex(byte_at(code, at + 1) & 7, at + 4);
  if (first != 0x0f) return {1, first, at + 1};
  const unsigned second = byte_at(code, at + 1);
  if (second == 0x38) return {3, byte_at(code, at + 2), at + 3};
  if (second == 0x3a) return {4, byte_at(code, at + 2), at + 3};
  return {2, second, at + 2};
}

flow flow_of_x86_64(const opcode_place& what, unsigned modrm) {
  const unsigned opcode = what.opcode;
  if (what.map == 2) {
    const bool is_undefined = opcode == 0x0b || opcode == 0xb9 || opcode == 0xff;
    return opcode >= 0x80 && opcode < 0x90 ? flow::branch : is_undefined ? flow::end : flow::next;
  }
  if (what.map != 1) return flow::next;
  if ((opcode >= 0x70 && opcode < 0x80) || (opcode >= 0xe0 && opcode < 0xe4)) return flow::branch;
  if (opcode == 0xe8) return flow::call;
  if (opcode == 0xe9 || opcode == 0xeb) return flow::jump;
  if (opcode == 0xc2 || opcode == 0xc3 || opcode == 0xcc || opcode == 0xf4) return flow::end;
  const unsigned kind = modrm >> 3 & 7;
  if (opcode == 0xff && (kind == 4 || kind == 5)) return flow::end;  // an indirect jump
  return flow::next;
}

instruction read_x86_64(const code_bytes& code, std::uint64_t address) {
  const std::size_t offset = address - code.begin;
  if (offset >= code.bytes.size()) return {};
  const prefixes before = read_prefixes(code, offset);
  const opcode_place what = read_opcode(code, offset + before.bytes);
  const unsigned modrm = byte_at(code, what.behind);
  const unsigned wide = before.has_16_bits ? 2 : 4;
  const operands then = what.map == 1
                            ? operands_of_byte(what.opcode, modrm, wide, before.has_64_bits)
                        : what.map == 2 ? operands_of_second_map(what.opcode)
                                        : operands{true, what.map == 4 ? 1u : 0u};
  if (!then.is_known) return {};
  const std::size_t immediate =
      what.behind + (then.has_modrm ? bytes_of_modrm(code, what.behind) : 0);
  const std::size_t end = immediate + then.immediate;
  if (end > code.bytes.size()) return {};
  const flow goes = flow_of_x86_64(what, modrm);
  instruction read{static_cast<unsigned>(end - offset), goes, 0};
  if (goes == flow::call || goes == flow::branch || goes == flow::jump) {
    const std::uint64_t distance =
        then.immediate == 1 ? byte_at(code, immediate) : word_at(code, immediate);
    read.target = moved(code.begin + end, signed_number(distance, 8 * then.immediate));
  }
  return read;
}

// [bti c]; adrp x16, page; ldr x17, [x16, offset]
std::optional<std::uint64_t> slot_of_aarch64(const code_bytes& code, std::size_t offset) {
  constexpr std::uint32_t bti_c = 0xd503245f;
  if (word_at(code, offset) == bti_c) offset += 4;
  const std::uint32_t adrp = word_at(code, offset);
  const std::uint32_t load = word_at(code, offset + 4);
  if ((adrp & 0x9f00001f) != 0x90000010 || (load & 0xffc003ff) != 0xf9400211) return std::nullopt;
  const std::uint64_t pages = (adrp >> 3 & 0x1ffffc) | (adrp >> 29 & 3);
  const std::uint64_t page = (code.begin + offset) & ~std::uint64_t{0xfff};
  return moved(page, 4096 * signed_number(pages, 21)) + std::uint64_t{load >> 10 & 0xfff} * 8;
}

// [endbr64]; [bnd] jmp *offset(%rip)
std::optional<std::uint64_t> slot_of_x86_64(const code_bytes& code, std::size_t offset) {
  constexpr std::uint32_t endbr64 = 0xfa1e0ff3;
  constexpr unsigned char bnd = 0xf2;
  if (word_at(code, offset) == endbr64) offset += 4;
  if (byte_at(code, offset) == bnd) ++offset;
  if (number_at<std::uint16_t>(code, offset) != 0x25ff || offset + 6 > code.bytes.size()) {
    return std::nullopt;
  }
  return moved(code.begin + offset + 6, signed_number(word_at(code, offset + 2), 32));
}

}  // namespace

instruction read_instruction(const code_bytes& code, std::uint64_t address, instruction_set set) {
  return set == instruction_set::aarch64 ? read_aarch64(code, address) : read_x86_64(code, address);
}

std::vector<direct_call> find_direct_calls(const code_bytes& code, instruction_set set) {
  constexpr unsigned char call_of_x86_64 = 0xe8;
  const bool is_aarch64 = set == instruction_set::aarch64;
  std::vector<direct_call> calls;
  for (std::size_t offset = 0; offset < code.bytes.size(); offset += is_aarch64 ? 4 : 1) {
    if (!is_aarch64 && code.bytes[offset] != call_of_x86_64) continue;
    const std::uint64_t at = code.begin + offset;
    const instruction one = read_instruction(code, at, set);
    if (one.bytes != 0 && one.goes == flow::call) calls.push_back({at, at + one.bytes, one.target});
  }
  return calls;
}

std::optional<std::uint64_t> slot_of_stub(const code_bytes& code, std::uint64_t stub,
                                          instruction_set set) {
  const std::uint64_t offset = stub - code.begin;
  if (offset >= code.bytes.size()) return std::nullopt;
  return set == instruction_set::aarch64 ? slot_of_aarch64(code, offset)
                                         : slot_of_x86_64(code, offset);
}

}  // namespace heddle_report
