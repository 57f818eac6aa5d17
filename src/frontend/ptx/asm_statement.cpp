// Reads the literals and operands of an asm statement.
#include "frontend/ptx/asm_statement.hpp"

#include <string_view>
#include <utility>

namespace heddle::frontend {
namespace {

// The characters that a string literal denotes, as far as assembly needs them.
std::string value_of_literal(std::string_view literal) {
  const std::size_t quote = literal.find('"');
  if (quote > 0 && literal[quote - 1] == 'R') {
    const std::size_t open = literal.find('('), close = literal.rfind(')');
    return std::string(literal.substr(open + 1, close - open - 1));
  }
  std::string text;
  for (std::size_t i = quote + 1; i + 1 < literal.size(); ++i) {
    if (literal[i] != '\\') {
      text += literal[i];
      continue;
    }
    const char escaped = literal[++i];
    text += escaped == 'n' || escaped == 'r' ? '\n' : escaped == 't' ? '\t' : escaped;
  }
  return text;
}

class asm_reader {
 public:
  asm_reader(const structure& shape, const edits& changes, std::size_t start)
      : shape_(shape), changes_(changes), at_(start + 1) {}

  std::optional<asm_statement> run() {
    while (shape_.is(at_, "volatile") || shape_.is(at_, "__volatile__") ||
           shape_.is(at_, "__volatile") || shape_.is(at_, "inline"))
      ++at_;
    if (!shape_.is(at_, "(") || shape_.partner(at_) == nowhere) return std::nullopt;
    statement_.end = shape_.after(at_);
    const std::size_t close = shape_.partner(at_++);
    statement_.text = read_literals();
    int section = 0;
    while (at_ < close) {
      if (shape_.is(at_, "::"))
        section += 2, ++at_;
      else if (shape_.is(at_, ":"))
        ++section, ++at_;
      else if (shape_.is(at_, ","))
        ++at_;
      else if (section < 3) {
        if (!read_operand()) return std::nullopt;
      } else {
        ++at_;  // clobbers: nothing to do
      }
    }
    return std::move(statement_);
  }

 private:
  // Adjacent literals, as one text.
  std::string read_literals() {
    std::string text;
    while (at_ < shape_.size() && shape_.at(at_).kind == token_kind::string)
      text += value_of_literal(shape_.at(at_++).text);
    return text;
  }

  bool read_operand() {
    asm_operand operand;
    if (shape_.is(at_, "[") && shape_.partner(at_) != nowhere) {
      operand.name = changes_.text_of(at_ + 1, shape_.partner(at_));
      at_ = shape_.after(at_);
    }
    if (at_ >= shape_.size() || shape_.at(at_).kind != token_kind::string) return false;
    operand.constraint = read_literals();
    if (!shape_.is(at_, "(") || shape_.partner(at_) == nowhere) return false;
    operand.expression = changes_.text_of(at_, shape_.after(at_));
    at_ = shape_.after(at_);
    statement_.operands.push_back(operand);
    return true;
  }

  const structure& shape_;
  const edits& changes_;
  std::size_t at_;
  asm_statement statement_;
};

}  // namespace

std::optional<asm_statement> read_asm(const structure& shape, const edits& changes,
                                      std::size_t start) {
  return asm_reader(shape, changes, start).run();
}

}  // namespace heddle::frontend
