// Writes the operands of PTX instructions in C++.
#pragma once
#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "frontend/ptx/asm_statement.hpp"
#include "frontend/ptx/program.hpp"

namespace heddle::frontend::ptx {

// Thrown for an instruction that is not supported.
struct unsupported {};

// "::heddle_host::ptx::NAME"
std::string of_runtime(std::string_view name);

bool is_type(std::string_view word);  // u32, f16x2, pred
int bits_of(std::string_view type);

// Throws `unsupported` for an operand that an instruction does not allow.
class operand_writer {
 public:
  explicit operand_writer(const asm_statement& statement) : statement_(statement) {}

  // The operand's value in a PTX type.
  std::string read(const operand& from, std::string_view type);
  // An assignment, without its semicolon.
  std::string write(const operand& to, const std::string& value);
  // The pointer for `[a+8]`.
  std::string address(const operand& at);
  // A reference to the carry flag, to a copy of it, or to the flag after it was cleared. An
  // instruction that reads the flag must follow one that sets it.
  std::string carry() const;
  std::string copy_of_carry();
  std::string set_carry();

  // Evaluates each operand of the asm statement once, before the instructions.
  [[nodiscard]] std::string declarations() const;

 private:
  std::string parameter(const std::string& name);
  std::string plain(const operand& from);

  const asm_statement& statement_;
  std::set<std::size_t> used_;
  bool has_carry_ = false;
  bool has_copy_of_carry_ = false;
};

}  // namespace heddle::frontend::ptx
