// What each PTX instruction becomes.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "frontend/ptx/operands.hpp"
#include "frontend/ptx/program.hpp"

namespace heddle::frontend::ptx {

// One C++ statement without its semicolon; throws `unsupported`.
std::string emit(const instruction& what, operand_writer& operands);

// Instructions that the table of rules cannot express: each emits all forms of its opcodes.
using emit_function = std::string (*)(const instruction& what, operand_writer& operands);
std::string emit_move(const instruction& what, operand_writer& operands);
std::string emit_compare(const instruction& what, operand_writer& operands);
std::string emit_load(const instruction& what, operand_writer& operands);
std::string emit_store(const instruction& what, operand_writer& operands);
std::string emit_atomic(const instruction& what, operand_writer& operands);
std::string emit_address_conversion(const instruction& what, operand_writer& operands);
std::string emit_address_query(const instruction& what, operand_writer& operands);
std::string emit_shuffle(const instruction& what, operand_writer& operands);
std::string emit_match(const instruction& what, operand_writer& operands);
std::string emit_elect(const instruction& what, operand_writer& operands);
std::string emit_barrier(const instruction& what, operand_writer& operands);
std::string emit_fence(const instruction& what, operand_writer& operands);
std::string emit_async_copy(const instruction& what, operand_writer& operands);
std::string emit_async_store(const instruction& what, operand_writer& operands);
std::string emit_mbarrier(const instruction& what, operand_writer& operands);
std::string emit_hint(const instruction& what, operand_writer& operands);

// The words of an opcode, taken off one by one; what is left at the end is not supported.
class word_list {
 public:
  explicit word_list(const instruction& what) : left_(what.words.begin() + 1, what.words.end()) {}

  // Removes the word; false if it is not there.
  bool take(std::string_view word);
  // Removes and returns the first of these words that is there, or `otherwise`.
  std::string take_one_of(std::string_view words, std::string_view otherwise = "");
  std::string take_type();  // throws if there is none
  void take_cache_hints();  // L1::…, L2::…
  // "block", "cluster", "device", "system"
  std::string take_scope(std::string_view otherwise = "device");
  void expect_end() const;

 private:
  std::vector<std::string> left_;
};

// "::heddle_host::ptx::how::rz"
std::string of_modifier(const std::string& word);
std::vector<std::string> split(std::string_view text, char separator);
void expect_operands(const instruction& what, std::size_t least, std::size_t most);

}  // namespace heddle::frontend::ptx
