// Translates supported inline PTX instructions to C++.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace heddle::frontend {

struct asm_operand {
  std::string name;        // from `[name] "r"(x)`; mostly empty
  std::string expression;  // "(x)"
};

struct asm_statement {
  std::string text;
  std::vector<asm_operand> operands;
  bool is_extended = false;  // has operands or a colon, so registers are written `%%name`
  std::size_t end = 0;       // one past the statement's `)`
};

struct ptx_translation {
  std::string code;     // a C++ statement without its semicolon
  std::string refused;  // the unsupported instruction; then `code` is unusable
};

ptx_translation translate_ptx(const asm_statement& statement);

}  // namespace heddle::frontend
