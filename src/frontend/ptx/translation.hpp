// Translates the text of one asm statement, which is PTX, to one C++ statement.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "frontend/ptx/asm_statement.hpp"

namespace heddle::frontend {

struct ptx_translation {
  std::string code;     // a C++ statement without its semicolon
  std::string refused;  // the unsupported instruction; then `code` is unusable
  std::vector<std::string> opcodes = {};
};

// `number` must differ between the statements of a file: labels are made unique with it.
ptx_translation translate_ptx(const asm_statement& statement, std::size_t number);

}  // namespace heddle::frontend
