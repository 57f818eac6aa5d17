// The grammar of PTX statements.
#include <cctype>
#include <map>
#include <set>

#include "frontend/ptx/lexer.hpp"
#include "frontend/ptx/program.hpp"

namespace heddle::frontend::ptx {
namespace {

struct syntax_error {};

std::vector<std::string> split_at_dots(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == '.')
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\n\r");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\n\r") - first + 1);
}

class parser {
 public:
  explicit parser(const std::string& text)
      : text_(without_comments(text)), tokens_(tokens_of(text_)) {}

  program run() {
    try {
      while (at_ < tokens_.size()) read_statement();
      if (scopes_.size() > 1) throw syntax_error{};  // a block that another statement closes
    } catch (const syntax_error&) {
      program_.refused = source_of_statement();
    }
    return std::move(program_);
  }

 private:
  // ---- tokens
  [[nodiscard]] bool is(char c, std::size_t ahead = 0) const {
    return is_kind(token_kind::punctuation, ahead) && tokens_[at_ + ahead].text[0] == c;
  }
  [[nodiscard]] bool is_kind(token_kind kind, std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() && tokens_[at_ + ahead].kind == kind;
  }
  bool accept(char c) {
    if (!is(c)) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) throw syntax_error{};
  }
  std::string take(token_kind kind) {
    if (!is_kind(kind)) throw syntax_error{};
    return tokens_[at_++].text;
  }

  // From the statement's first token to its semicolon.
  [[nodiscard]] std::string source_of_statement() const {
    const std::size_t from = start_ < tokens_.size() ? tokens_[start_].offset : 0;
    return trimmed(text_.substr(from, text_.find(';', from) - from));
  }

  // ---- statements
  void read_statement() {
    if (accept(';')) return;
    if (is('{')) return open_block();
    if (is('}')) return close_block();
    start_ = at_;
    if (is_kind(token_kind::word) && is(':', 1)) return read_label();
    if (is_kind(token_kind::word) && tokens_[at_].text[0] == '.') return read_directive();
    read_instruction();
  }

  void open_block() {
    start_ = at_++;
    scopes_.emplace_back();
  }

  void close_block() {
    if (scopes_.size() == 1) throw syntax_error{};
    scopes_.pop_back();
    ++at_;
  }

  void read_label() {
    program_line line;
    line.label = take(token_kind::word);
    expect(':');
    // Two blocks may have a label of the same name; which one is meant is then not worth finding.
    if (!labels_.insert(line.label).second) throw syntax_error{};
    program_.lines.push_back(line);
  }

  void read_directive() {
    std::vector<std::string> words;
    while (is_kind(token_kind::word) && tokens_[at_].text[0] == '.') {
      const auto more = split_at_dots(take(token_kind::word).substr(1));
      words.insert(words.end(), more.begin(), more.end());
    }
    if (words[0] == "pragma") {
      take(token_kind::quoted);  // a hint for the compiler
    } else if (words[0] == "reg" && words.size() == 2) {
      do read_register(words[1]);
      while (accept(','));
    } else {
      throw syntax_error{};
    }
    end_statement();
  }

  // `r`, `%r`, or `r<4>`, which declares r0 to r3.
  void read_register(const std::string& type) {
    const bool has_percent = is_kind(token_kind::percent);
    const std::string name =
        (has_percent ? "%" : "") + take(has_percent ? token_kind::percent : token_kind::word);
    if (!accept('<')) return declare(name, type);
    const std::string count_text = take(token_kind::integer);
    if (count_text.size() > 4) throw syntax_error{};
    const unsigned long count = std::stoul(count_text, nullptr, 0);
    expect('>');
    for (unsigned long i = 0; i < count; ++i) declare(name + std::to_string(i), type);
  }

  void declare(const std::string& name, const std::string& type) {
    std::string own = "heddle_r" + std::to_string(program_.registers.size()) + "_";
    for (const char c : name)
      own += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ? c : '_';
    scopes_.back()[name] = program_.registers.size();
    program_.registers.push_back({type, own});
  }

  void read_instruction() {
    program_line line;
    if (accept('@')) {
      const bool is_negated = accept('!');
      line.what.guard.push_back(read_operand());
      line.what.guard[0].is_negated = is_negated;
    }
    std::string opcode = take(token_kind::word);
    // A blank may precede a dot.
    while (is_kind(token_kind::word) && tokens_[at_].text[0] == '.')
      opcode += take(token_kind::word);
    line.what.words = split_at_dots(opcode);
    if (at_ < tokens_.size() && !is(';') && !is('}')) {
      do line.what.operands.push_back(read_operand_or_pair());
      while (accept(','));
    }
    line.what.source = source_of_statement();
    end_statement();
    program_.lines.push_back(line);
  }

  void end_statement() {
    if (at_ < tokens_.size() && !is('}')) expect(';');
  }

  // ---- operands
  operand read_operand_or_pair() {
    operand first = read_operand();
    if (!accept('|')) return first;
    operand both;
    both.kind = operand_kind::pair;
    both.parts = {first, read_operand()};
    return both;
  }

  operand read_operand() {
    if (accept('!')) {
      operand one = read_operand();
      one.is_negated = !one.is_negated;
      return one;
    }
    if (accept('{')) return read_parts(operand_kind::list, ',', '}');
    if (accept('[')) return read_parts(operand_kind::address, '+', ']');
    if (is('-') || is_kind(token_kind::integer) || is_kind(token_kind::real)) return read_number();
    operand one;
    if (is_kind(token_kind::parameter)) {
      one.kind = operand_kind::parameter;
      one.text = take(token_kind::parameter);
      return one;
    }
    const bool has_percent = is_kind(token_kind::percent);
    const std::string name = take(has_percent ? token_kind::percent : token_kind::word);
    if (!has_percent && name == "_") return one;
    if (const declared_register* found = find(has_percent ? "%" + name : name)) {
      one.kind = operand_kind::reg;
      one.text = found->name;
      one.type = found->type;
    } else {
      one.kind = has_percent ? operand_kind::special_register : operand_kind::name;
      one.text = name;
    }
    return one;
  }

  operand read_parts(operand_kind kind, char separator, char end) {
    operand all;
    all.kind = kind;
    do all.parts.push_back(read_operand());
    while (accept(separator) || (separator == '+' && is('-')));
    expect(end);
    return all;
  }

  operand read_number() {
    operand number;
    const std::string sign = accept('-') ? "-" : "";
    number.kind = is_kind(token_kind::real) ? operand_kind::real : operand_kind::integer;
    number.text = take(is_kind(token_kind::real) ? token_kind::real : token_kind::integer);
    while (number.kind == operand_kind::integer && number.text.back() == 'U')
      number.text.pop_back();
    number.text = sign + number.text;
    return number;
  }

  [[nodiscard]] const declared_register* find(const std::string& name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      const auto found = scope->find(name);
      if (found != scope->end()) return &program_.registers[found->second];
    }
    return nullptr;
  }

  std::string text_;
  std::vector<token> tokens_;
  std::size_t at_ = 0;
  std::size_t start_ = 0;                                      // the first token of the statement
  std::vector<std::map<std::string, std::size_t>> scopes_{1};  // indices of registers
  std::set<std::string> labels_;
  program program_;
};

}  // namespace

program parse(const std::string& text) { return parser(text).run(); }

}  // namespace heddle::frontend::ptx
