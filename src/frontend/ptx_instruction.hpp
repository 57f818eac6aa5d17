// The table of inline PTX that is offered, and what each instruction becomes.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace heddle::frontend {

struct asm_operand {
  std::string name;        // of `[name] "r"(x)`; mostly empty
  std::string expression;  // "(x)"
};

struct asm_statement {
  std::string text;
  std::vector<asm_operand> operands;
  bool is_extended = false;  // has operands or at least a colon: registers are written `%%name`
  std::size_t end = 0;       // one past the statement's `)`
};

struct ptx_translation {
  std::string code;     // a C++ statement without its semicolon
  std::string refused;  // the instruction that is not offered; then `code` is of no use
};

ptx_translation translate_ptx(const asm_statement& statement);

}  // namespace heddle::frontend
