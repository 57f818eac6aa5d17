// Decodes the floating-point multiplications, additions and moves of SSE, AVX and AdvSIMD.
#include "report/fidelity/float_arithmetic.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

namespace heddle_report {
namespace {

float_operation read_aarch64(std::uint32_t word) {
  const float_place to = word & 31;
  const float_place left = word >> 5 & 31;
  const float_place right = word >> 16 & 31;
  const auto is = [word](std::uint32_t mask, std::uint32_t value) {
    return (word & mask) == value;
  };
  const bool is_product = is(0xff20fc00, 0x1e200800) ||
                          is(0xff20fc00, 0x1e208800) ||                              // fmul, fnmul
                          is(0xbfa0fc00, 0x2e20dc00) ||                              // vectors
                          is(0xbf80f400, 0x0f809000) || is(0xff80f400, 0x5f809000);  // by element
  if (is_product) return {float_step::product, to, left, right};
  const bool is_sum = is(0xff20fc00, 0x1e202800) || is(0xff20fc00, 0x1e203800) ||  // fadd, fsub
                      is(0xbfa0fc00, 0x0e20d400) || is(0xbfa0fc00, 0x0ea0d400);
  if (is_sum) return {float_step::sum, to, left, right};
  if (is(0xff3ffc00, 0x1e204000)) return {float_step::move, to, left};  // fmov
  if (is(0x3f000000, 0x3d000000)) {                                     // ldr, str with an offset
    const bool is_load = (word >> 22 & 1) != 0;
    const unsigned scale = (word >> 23 & 1) != 0 ? 4 : word >> 30;
    const bool is_in_frame = left == 31;  // sp
    const float_place place =
        is_in_frame ? first_of_stack + (std::int64_t{word >> 10 & 0xfff} << scale) : elsewhere;
    if (is_load) return {float_step::move, to, place};
    return {float_step::move, place, to};
  }
  const bool is_vector_load = (word & 0x0a000000) == 0x08000000 && (word >> 26 & 1) != 0;
  const bool is_arithmetic = (word & 0x0e000000) == 0x0e000000;
  if (is_vector_load || is_arithmetic) return {float_step::other, to};
  return {};
}

// An SSE or AVX instruction, reduced to its operands and its opcode byte after 0f.
struct vector_instruction {
  unsigned opcode = 0;
  float_place reg = elsewhere;
  float_place rm = elsewhere;
  float_place second = elsewhere;  // AVX only: the first source
  bool is_known = false;
};

// `8(%rsp)` and `-8(%rbp)`. Places relative to %rbp are numbered apart from those relative to %rsp.
float_place place_in_frame(const unsigned char* modrm) {
  const unsigned mode = *modrm >> 6;
  const unsigned base = *modrm & 7;
  const bool is_rsp = base == 4 && modrm[1] == 0x24;
  if (mode == 3 || (!is_rsp && (base != 5 || mode == 0))) return elsewhere;
  const unsigned char* const offset = modrm + (is_rsp ? 2 : 1);
  std::int32_t distance = 0;
  if (mode == 1) distance = static_cast<signed char>(*offset);
  if (mode == 2) std::memcpy(&distance, offset, sizeof distance);
  return first_of_stack + distance + (is_rsp ? 0 : first_of_stack);
}

vector_instruction read_vector(const unsigned char* bytes) {
  unsigned extension = 0;  // REX.R and REX.B
  vector_instruction read;
  const auto finish = [&](const unsigned char* opcode) {
    const unsigned modrm = opcode[1];
    read.opcode = opcode[0];
    read.reg = (modrm >> 3 & 7) | ((extension & 4) != 0 ? 8 : 0);
    const bool is_register = modrm >> 6 == 3;
    if (is_register) {
      read.rm = (modrm & 7) | ((extension & 1) != 0 ? 8 : 0);
    } else if ((extension & 1) == 0) {
      read.rm = place_in_frame(opcode + 1);
    }
    read.is_known = true;
  };
  if (bytes[0] == 0xc5 || (bytes[0] == 0xc4 && (bytes[1] & 0x1f) == 1)) {  // VEX
    const bool is_short = bytes[0] == 0xc5;
    if ((bytes[1] & 0x80) == 0) extension |= 4;
    if (!is_short && (bytes[1] & 0x20) == 0) extension |= 1;
    const unsigned last = bytes[is_short ? 1 : 2];
    read.second = ~last >> 3 & 15;
    finish(bytes + (is_short ? 2 : 3));
    return read;
  }
  while (*bytes == 0x66 || *bytes == 0xf2 || *bytes == 0xf3) ++bytes;
  if ((*bytes & 0xf0) == 0x40) extension = *bytes++;
  if (*bytes == 0x0f) finish(bytes + 1);
  return read;
}

float_operation read_x86_64(const unsigned char* bytes) {
  const vector_instruction what = read_vector(bytes);
  if (!what.is_known) return {};
  const unsigned opcode = what.opcode;
  const float_place left = what.second == elsewhere ? what.reg : what.second;
  switch (opcode) {
    case 0x59:
      return {float_step::product, what.reg, left, what.rm};
    case 0x58:
    case 0x5c:
      return {float_step::sum, what.reg, left, what.rm};
    case 0x10:  // movss, movups
    case 0x28:  // movaps
      return {float_step::move, what.reg, what.rm};
    case 0x11:
    case 0x29:
      return {float_step::move, what.rm, what.reg};
    case 0x13:  // other stores, and comparisons
    case 0x17:
    case 0x2b:
    case 0x2e:
    case 0x2f:
    case 0x7e:
    case 0x7f:
    case 0xd6:
    case 0xe7:
      return {};
    default:
      break;
  }
  const bool writes_vector = (opcode >= 0x12 && opcode < 0x18) ||
                             (opcode >= 0x28 && opcode < 0x30) ||
                             (opcode >= 0x51 && opcode < 0x80) || opcode >= 0xd0;
  if (!writes_vector) return {};
  return {float_step::other, what.reg};
}

// Whether a called function must preserve the place.
bool survives_call(float_place place, instruction_set set) {
  const bool is_register = place < 32;
  return !is_register || (set == instruction_set::aarch64 && place >= 8 && place < 16);
}

}  // namespace

float_operation read_float_operation(const code_bytes& code, std::uint64_t address,
                                     instruction_set set) {
  std::array<unsigned char, 16> bytes{};
  const std::uint64_t offset = address - code.begin;
  if (offset >= code.bytes.size()) return {};
  std::memcpy(bytes.data(), code.bytes.data() + offset,
              std::min<std::size_t>(bytes.size(), code.bytes.size() - offset));
  if (set == instruction_set::x86_64) return read_x86_64(bytes.data());
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data(), sizeof word);
  return read_aarch64(word);
}

std::vector<product_and_sum> sums_of_products(const code_bytes& code, std::uint64_t begin,
                                              std::uint64_t end, instruction_set set) {
  std::map<float_place, std::uint64_t> products;  // where each is, and the address of its product
  std::vector<product_and_sum> found;
  for (std::uint64_t at = begin; at < end;) {
    const instruction one = read_instruction(code, at, set);
    if (one.bytes == 0) break;
    if (one.goes == flow::call) {
      std::erase_if(products,
                    [=](const auto& product) { return !survives_call(product.first, set); });
    }
    const float_operation what = read_float_operation(code, at, set);
    if (what.what == float_step::sum) {
      for (const float_place source : {what.left, what.right}) {
        const auto product = products.find(source);
        if (product != products.end()) found.push_back({product->second, at});
      }
    }
    const auto moved = what.what == float_step::move ? products.find(what.left) : products.end();
    if (what.to != elsewhere && what.what == float_step::product) {
      products[what.to] = at;
    } else if (what.to != elsewhere && moved != products.end()) {
      products[what.to] = moved->second;
    } else {
      products.erase(what.to);
    }
    at += one.bytes;
  }
  return found;
}

}  // namespace heddle_report
