// The table of operations whose results on the CPU may differ from a GPU's.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace heddle_report {

enum class exactness : unsigned char {
  exact,        // bit-identical to a GPU's result
  approximate,  // CUDA bounds the error of the result, but does not define its bits
  differs,      // the CPU does something else, which `how` describes
};

struct operation_fact {
  std::string_view names;  // functions, separated by blanks; for PTX, words of one instruction
  exactness how_exact;
  std::string_view how;  // the bound that CUDA states for a GPU, or the difference
  bool is_ptx = false;
};

// All operations that may differ, in the order of the documentation. All others are exact.
std::span<const operation_fact> operation_facts();

// Null if the function is exact.
const operation_fact* fact_of_function(std::string_view name);
// `opcode` is a whole one, such as `ex2.approx.ftz.f32`. Null if the instruction is exact.
const operation_fact* fact_of_ptx(std::string_view opcode);

// A product that is added to something. It is not a single function or instruction.
extern const operation_fact fact_of_fused_products;

// The table of the documentation, in Markdown.
std::string table_of_operations();

}  // namespace heddle_report
