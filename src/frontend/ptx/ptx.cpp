// Rewrites inline PTX in device code, statement by statement. Unsupported PTX ends the program when
// a lane reaches it, so code that is never called does no harm.
#include "frontend/ptx/ptx.hpp"

#include "frontend/ptx/asm_statement.hpp"
#include "frontend/ptx/translation.hpp"

namespace heddle::frontend {
namespace {

bool is_asm(const token& t) { return t.is("asm") || t.is("__asm__") || t.is("__asm"); }

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
    const auto statement = read_asm(shape_, changes_, start);
    if (!statement) return stop_at_unknown(start);
    const ptx_translation translated = translate_ptx(*statement, start);
    for (const std::string& opcode : translated.opcodes)
      changes_.add_operation(start, true, opcode);
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
    changes_.add_operation(start, false, what);
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

// Functions of libraries are translated like the user's own, even in headers that the compiler
// treats as the system's. The runtime's own headers contain the CPU's assembly.
bool is_ptx(const structure& shape, std::size_t index) {
  return is_asm(shape.at(index)) && shape.is_in_device_code(index);
}

}  // namespace

void rewrite_ptx(const structure& shape, edits& changes) {
  ptx_rewriter rewriter(shape, changes);
  for (std::size_t i = 0; i < shape.size();) i = is_ptx(shape, i) ? rewriter.rewrite(i) : i + 1;
}

}  // namespace heddle::frontend
