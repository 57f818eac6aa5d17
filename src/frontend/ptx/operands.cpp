// Reading and writing operands: registers hold bits, and each access says which type it means.
#include "frontend/ptx/operands.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::frontend::ptx {
namespace {

constexpr std::array<std::pair<std::string_view, int>, 23> types{{
    {"pred", 1},   {"b8", 8},     {"u8", 8},      {"s8", 8},      {"b16", 16},    {"u16", 16},
    {"s16", 16},   {"f16", 16},   {"bf16", 16},   {"b32", 32},    {"u32", 32},    {"s32", 32},
    {"f32", 32},   {"b64", 64},   {"u64", 64},    {"s64", 64},    {"f64", 64},    {"f32x2", 64},
    {"b128", 128}, {"f16x2", 32}, {"bf16x2", 32}, {"e4m3x2", 16}, {"e5m2x2", 16},
}};

// Special registers. Each has a function of the same name, with underscores for dots.
constexpr std::string_view special_registers =
    " laneid warpid nwarpid smid nsmid lanemask_eq lanemask_lt lanemask_le "
    "lanemask_gt lanemask_ge clock clock64 clock_hi globaltimer globaltimer_lo "
    "globaltimer_hi tid.x tid.y tid.z ntid.x ntid.y ntid.z ctaid.x ctaid.y ctaid.z "
    "nctaid.x nctaid.y nctaid.z clusterid.x clusterid.y clusterid.z nclusterid.x "
    "nclusterid.y nclusterid.z cluster_ctaid.x cluster_ctaid.y cluster_ctaid.z "
    "cluster_nctaid.x cluster_nctaid.y cluster_nctaid.z cluster_ctarank "
    "cluster_nctarank ";

std::string special_register(std::string name) {
  const bool is_known = special_registers.find(" " + name + " ") != std::string_view::npos;
  if (!is_known) throw unsupported{};
  std::replace(name.begin(), name.end(), '.', '_');
  return of_runtime(name) + "()";
}

std::string as(std::string_view type, const std::string& value) {
  return "static_cast<" + of_runtime(type) + ">(" + value + ")";
}
std::string bits_as(std::string_view type, const std::string& value) {
  return of_runtime("take") + "<" + of_runtime(type) + ">(" + value + ")";
}

// Types of the runtime that are classes: only their bits can be given as a number.
bool is_class(std::string_view type) {
  return type.find('x') != std::string_view::npos || type == "f16" || type == "bf16";
}

std::string integer_as(std::string_view type, const std::string& text) {
  if (type == "f32" || type == "f64") throw unsupported{};
  if (!is_class(type)) return as(type, text);
  return bits_as(type, as("b" + std::to_string(bits_of(type)), text));
}

// 0f and 0d give the bits of a float and a double.
std::string real_as(std::string_view type, std::string text) {
  const bool is_negative = text[0] == '-';
  if (is_negative) text.erase(0, 1);
  const char kind = text.size() > 1 ? text[1] : '0';
  std::string value;
  if (kind == 'f' || kind == 'F')
    value = bits_as("f32", as("b32", "0x" + text.substr(2)));
  else if (kind == 'd' || kind == 'D')
    value = bits_as("f64", as("b64", "0x" + text.substr(2)));
  else
    value = as(type == "f64" ? "f64" : "f32", text);
  return bits_as(type, (is_negative ? "-" : "") + value);
}

}  // namespace

std::string of_runtime(std::string_view name) { return "::heddle_host::ptx::" + std::string(name); }

bool is_type(std::string_view word) { return bits_of(word) != 0; }

int bits_of(std::string_view type) {
  for (const auto& [name, bits] : types)
    if (name == type) return bits;
  return 0;
}

std::string operand_writer::parameter(const std::string& name) {
  const bool is_number = name.find_first_not_of("0123456789") == std::string::npos;
  std::size_t index = statement_.operands.size();
  if (is_number && name.size() < 4) index = std::stoul(name);
  for (std::size_t i = 0; !is_number && i < statement_.operands.size(); ++i)
    if (statement_.operands[i].name == name) index = i;
  if (index >= statement_.operands.size()) throw unsupported{};
  used_.insert(index);
  return "heddle_" + std::to_string(index);
}

std::string operand_writer::plain(const operand& from) {
  if (from.kind == operand_kind::reg) return from.text;
  if (from.kind == operand_kind::parameter) return parameter(from.text);
  throw unsupported{};
}

std::string operand_writer::read(const operand& from, std::string_view type) {
  if (from.is_negated && type != "pred") throw unsupported{};
  switch (from.kind) {
    case operand_kind::integer:
      return (from.is_negated ? "!" : "") + integer_as(type == "pred" ? "pred" : type, from.text);
    case operand_kind::real:
      return real_as(type, from.text);
    case operand_kind::special_register:
      return as(type, special_register(from.text));
    case operand_kind::name:
      if (from.text != "WARP_SZ") throw unsupported{};
      return integer_as(type, "32");
    default:
      break;
  }
  if (type == "pred" && from.kind == operand_kind::reg)
    return (from.is_negated ? "!" : "") + from.text;
  return bits_as(type, plain(from));
}

std::string operand_writer::write(const operand& to, const std::string& value) {
  if (to.is_negated) throw unsupported{};
  if (to.kind == operand_kind::sink) return "static_cast<void>(" + value + ")";
  return of_runtime("put") + "(" + plain(to) + ", " + value + ")";
}

std::string operand_writer::address(const operand& at) {
  if (at.kind != operand_kind::address) throw unsupported{};
  const operand& base = at.parts[0];
  std::string code = of_runtime("address") + "(" +
                     (base.kind == operand_kind::integer ? as("u64", base.text) : plain(base));
  std::string offset;
  for (std::size_t i = 1; i < at.parts.size(); ++i)
    offset += (i > 1 ? " + " : "") + read(at.parts[i], "s64");
  return code + ", " + (offset.empty() ? "0" : offset) + ")";
}

std::string operand_writer::carry() const {
  // The flag may also come from another asm statement, which cannot be seen here.
  if (!has_carry_) throw unsupported{};
  return "heddle_carry";
}

std::string operand_writer::copy_of_carry() {
  has_copy_of_carry_ = true;
  return "heddle_copy = " + carry();
}

std::string operand_writer::set_carry() {
  has_carry_ = true;
  return "heddle_carry = false";
}

std::string operand_writer::declarations() const {
  std::string code;
  for (std::size_t i = 0; i < statement_.operands.size(); ++i) {
    const asm_operand& one = statement_.operands[i];
    const std::string name = "heddle_" + std::to_string(i);
    const std::size_t digit = one.constraint.find_first_of("0123456789");
    if (digit != std::string::npos) {  // shares the register of an output
      const std::string output = one.constraint.substr(digit);
      if (used_.count(std::stoul(output)) != 0)
        code += of_runtime("put") + "(heddle_" + output + ", " + one.expression + "); ";
      else
        code += "static_cast<void>" + one.expression + "; ";
    } else if (used_.count(i) == 0) {
      code += "static_cast<void>" + one.expression + "; ";
    } else {
      code += (one.is_output() ? "auto& " : "const auto ") + name + " = " + one.expression + "; ";
    }
  }
  if (has_carry_) code += "bool heddle_carry = false; ";
  if (has_copy_of_carry_) code += "bool heddle_copy = false; ";
  return code;
}

}  // namespace heddle::frontend::ptx
