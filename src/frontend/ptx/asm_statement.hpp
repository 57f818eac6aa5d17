// Reads an asm statement: `asm volatile("…" : "=r"(x) : "l"(p) : "memory")`.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "frontend/rewrite/edits.hpp"
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

struct asm_operand {
  std::string name;        // from `[name] "r"(x)`; mostly empty
  std::string constraint;  // "=r"
  std::string expression;  // "(x)"

  [[nodiscard]] bool is_output() const {
    return constraint.find_first_of("=+") != std::string::npos;
  }
};

struct asm_statement {
  std::string text;
  std::vector<asm_operand> operands;  // outputs first
  std::size_t end = 0;                // one past the statement's `)`
};

// The statement whose `asm` is at `start`; nothing if it cannot be read.
std::optional<asm_statement> read_asm(const structure& shape, const edits& changes,
                                      std::size_t start);

}  // namespace heddle::frontend
