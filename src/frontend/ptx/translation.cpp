// Turns the instructions of one asm statement into a C++ statement: registers become variables,
// guards become `if`, and branches become `goto`.
#include "frontend/ptx/translation.hpp"

#include <set>

#include "frontend/ptx/operands.hpp"
#include "frontend/ptx/program.hpp"
#include "frontend/ptx/rules.hpp"

namespace heddle::frontend {
namespace {

using namespace ptx;

class translator {
 public:
  translator(const asm_statement& statement, std::size_t number)
      : program_(parse(statement.text)), operands_(statement), number_(number) {}

  ptx_translation run() {
    if (!program_.refused.empty()) return {"", program_.refused};
    for (const declared_register& one : program_.registers)
      if (!is_type(one.type)) return {"", ".reg ." + one.type};
    find_targets();
    std::string code;
    for (const program_line& line : program_.lines) {
      try {
        code += line.label.empty() ? statement_of(line.what) : label_of(line.label);
      } catch (const unsupported&) {
        return {"", line.what.source};
      }
    }
    // An empty asm statement only keeps the compiler from moving memory accesses.
    if (program_.lines.empty()) code = "__asm__ __volatile__(\"\" : : : \"memory\"); ";
    return {"do { " + operands_.declarations() + registers() + code + "} while (false)", "",
            opcodes()};
  }

 private:
  void find_targets() {
    for (const program_line& line : program_.lines)
      if (!line.label.empty()) labels_.insert(line.label);
    for (const program_line& line : program_.lines)
      if (is_branch(line.what) && line.what.operands.size() == 1)
        targets_.insert(line.what.operands[0].text);
  }

  static bool is_branch(const instruction& what) {
    return !what.words.empty() && what.words[0] == "bra";
  }

  std::string statement_of(const instruction& what) {
    const std::string code = is_branch(what) ? jump(what) : emit(what, operands_);
    if (what.guard.empty()) return code + "; ";
    return "if (" + operands_.read(what.guard[0], "pred") + ") { " + code + "; } ";
  }

  std::string jump(const instruction& what) const {
    const bool is_known = what.operands.size() == 1 &&
                          what.operands[0].kind == operand_kind::name &&
                          labels_.count(what.operands[0].text) != 0;
    if (!is_known) throw unsupported{};
    return "goto " + name_of(what.operands[0].text);
  }

  [[nodiscard]] std::vector<std::string> opcodes() const {
    std::vector<std::string> all;
    for (const program_line& line : program_.lines) {
      std::string opcode;
      for (const std::string& word : line.what.words) opcode += (opcode.empty() ? "" : ".") + word;
      if (!opcode.empty()) all.push_back(opcode);
    }
    return all;
  }

  // A label that nobody jumps to would cause a warning.
  std::string label_of(const std::string& label) const {
    return targets_.count(label) != 0 ? name_of(label) + ":; " : "";
  }

  // Labels are visible in the whole function, so they get the statement's number.
  [[nodiscard]] std::string name_of(const std::string& label) const {
    std::string name = "heddle_l" + std::to_string(number_) + "_";
    for (const char c : label) name += c == '$' || c == '%' || c == '=' || c == '.' ? '_' : c;
    return name;
  }

  [[nodiscard]] std::string registers() const {
    std::string code;
    for (const declared_register& one : program_.registers)
      code += "[[maybe_unused]] " + of_runtime(one.type) + " " + one.name + "{}; ";
    return code;
  }

  program program_;
  operand_writer operands_;
  std::size_t number_;
  std::set<std::string> labels_;
  std::set<std::string> targets_;
};

}  // namespace

ptx_translation translate_ptx(const asm_statement& statement, std::size_t number) {
  return translator(statement, number).run();
}

}  // namespace heddle::frontend
