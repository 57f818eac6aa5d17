// The model of PTX text: registers, labels and instructions.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace heddle::frontend::ptx {

enum class operand_kind {
  sink,              // _
  reg,               // a register declared in the text; `text` is its C++ name
  parameter,         // %0, %[name]; `text` is the number or the name
  special_register,  // %laneid; `text` is "laneid"
  name,              // anything else: a label, WARP_SZ
  integer,           // `text` is a C++ literal, with its sign
  real,              // `text` as written
  list,              // {a, b}
  address,           // [a], [a+8]: the first part is the base, the others are added
  pair,              // d|p
};

struct operand {
  operand_kind kind = operand_kind::sink;
  std::string text;
  std::string type;         // of a register: "b32", "pred"
  bool is_negated = false;  // !p
  std::vector<operand> parts;
};

struct instruction {
  std::vector<operand> guard;      // at most one: @p, @!p
  std::vector<std::string> words;  // the parts of the opcode between dots
  std::vector<operand> operands;
  std::string source;  // as written, for messages
};

struct declared_register {
  std::string type;  // "b32", "pred"
  std::string name;  // in C++
};

// A label, if `label` is not empty; else an instruction.
struct program_line {
  std::string label;
  instruction what;
};

// Blocks in braces are resolved: each register has a name of its own.
struct program {
  std::vector<declared_register> registers;
  std::vector<program_line> lines;
  std::string refused;  // what could not be parsed; then the rest is unusable
};

program parse(const std::string& text);

}  // namespace heddle::frontend::ptx
