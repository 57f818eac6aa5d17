// Rewrites inline PTX in device code, statement by statement. Unsupported PTX ends the program when
// a lane reaches it, so code that is never called does no harm.
#include "frontend/ptx/ptx.hpp"

#include <optional>

#include "frontend/ptx/ptx_instruction.hpp"

namespace heddle::frontend {
namespace {

bool is_asm(const token& t) { return t.is("asm") || t.is("__asm__") || t.is("__asm"); }

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
    text += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped;
  }
  return text;
}

// Parses the statement `asm volatile("…" : "=r"(x) : "l"(p) : "memory")` at `start`.
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
        ++at_;  // clobbers: nothing to do
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

// A one-line string literal for the text.
std::string literal_of(const std::string& text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
  }
  return literal + '"';
}

// A statement without its semicolon. Operands are mentioned after the stop, which never returns:
// this avoids warnings about unused variables without evaluating anything.
std::string code_of_stop(const std::string& what, const std::string& location,
                         const std::vector<asm_operand>& operands) {
  std::string code =
      "do { ::heddle_host::stop_program(" + literal_of(what) + ", " + literal_of(location) + "); ";
  for (const asm_operand& one : operands) code += "static_cast<void>" + one.expression + "; ";
  return code + "} while (false)";
}

class ptx_rewriter {
 public:
  ptx_rewriter(const structure& shape, edits& changes) : shape_(shape), changes_(changes) {}

  // Rewrites the statement at `start`; returns the first token after it.
  std::size_t rewrite(std::size_t start) {
    const auto statement = asm_reader(shape_, changes_, start).run();
    if (!statement) return stop_at_unknown(start);
    const ptx_translation translated = translate_ptx(*statement);
    if (translated.refused.empty()) return replace(start, statement->end, translated.code);
    return stop(start, statement->end, "the inline PTX `" + translated.refused + '`',
                statement->operands);
  }

 private:
  std::size_t replace(std::size_t start, std::size_t end, std::string code) {
    changes_.erase(start + 1, end);
    changes_.replace(start, std::move(code));
    return end;
  }

  std::size_t stop(std::size_t start, std::size_t end, const std::string& what,
                   const std::vector<asm_operand>& operands) {
    changes_.add_note(
        start, what + " is not supported on the CPU: the program stops when a lane reaches it");
    return replace(start, end, code_of_stop(what, changes_.location(start), operands));
  }

  std::size_t stop_at_unknown(std::size_t start) {
    std::size_t open = start + 1;
    while (shape_.is_name(open)) ++open;  // volatile, inline, goto
    if (shape_.is(open, "(") && shape_.partner(open) != nowhere)
      return stop(start, shape_.after(open), "this inline assembly", {});
    changes_.add_diagnostic(start, "cannot parse this inline assembly");
    return start + 1;
  }

  const structure& shape_;
  edits& changes_;
};

}  // namespace

void rewrite_ptx(const structure& shape, edits& changes) {
  ptx_rewriter rewriter(shape, changes);
  for (std::size_t i = 0; i < shape.size();) {
    const bool is_ours = is_asm(shape.at(i)) && shape.is_in_device_code(i);
    i = is_ours ? rewriter.rewrite(i) : i + 1;
  }
}

}  // namespace heddle::frontend
