// Rewrites inline PTX in device code, statement by statement, and refuses what is not offered.
#include "ptx.hpp"

#include <optional>

#include "ptx_instruction.hpp"

namespace heddle::frontend {
namespace {

bool is_asm(const token& t) { return t.is("asm") || t.is("__asm__") || t.is("__asm"); }

// The characters that a string literal stands for, as far as assembly needs them.
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
    text += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped;
  }
  return text;
}

// Reads `asm volatile("…" : "=r"(x) : "l"(p) : "memory")` that begins at `start`.
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
    while (at_ < close && shape_.at(at_).kind == token_kind::string)
      statement_.text += value_of_literal(shape_.at(at_++).text);
    statement_.is_extended = at_ < close;
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
        ++at_;  // what the statement changes besides: nothing to do
      }
    }
    return std::move(statement_);
  }

 private:
  bool read_operand() {
    asm_operand operand;
    if (shape_.is(at_, "[") && shape_.partner(at_) != nowhere) {
      operand.name = changes_.text_of(at_ + 1, shape_.partner(at_));
      at_ = shape_.after(at_);
    }
    if (at_ >= shape_.size() || shape_.at(at_).kind != token_kind::string) return false;
    ++at_;
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

void rewrite_ptx(const structure& shape, edits& changes) {
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!is_asm(shape.at(i)) || !shape.is_in_device_code(i) || !shape.is_in_user_file(i)) continue;
    const auto statement = asm_reader(shape, changes, i).run();
    if (!statement) {
      changes.add_diagnostic(i, "this inline assembly was not understood");
      continue;
    }
    const ptx_translation translated = translate_ptx(*statement);
    if (!translated.refused.empty()) {
      changes.add_diagnostic(
          i, "the inline PTX `" + translated.refused +
                 "` is not offered on the CPU: only reads of special registers, barriers, fences "
                 "and plain loads and stores are");
    } else {
      changes.erase(i + 1, statement->end);
      changes.replace(i, translated.code);
      i = statement->end - 1;
    }
  }
}

}  // namespace heddle::frontend
