// The lexer: splits preprocessed text into tokens and follows its line markers.
#include "frontend/rewrite/token.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <system_error>

namespace heddle::frontend {
namespace {

bool starts_name(unsigned char c) { return std::isalpha(c) || c == '_' || c == '$' || c >= 0x80; }
bool continues_name(unsigned char c) { return starts_name(c) || std::isdigit(c); }

class lexer {
 public:
  explicit lexer(token_list& list) : list_(list), text_(list.text) {
    list_.files.push_back({"", "", false});
    list_.tokens.reserve(text_.size() / 5);
  }

  void run() {
    std::size_t prefix_start = 0;
    skip_blanks();
    while (at_ < text_.size()) {
      token next;
      next.prefix = text_.substr(prefix_start, at_ - prefix_start);
      next.file = file_;
      next.line = line_;
      next.column = static_cast<std::uint32_t>(at_ - line_start_);
      const std::size_t start = at_;
      next.kind = take_token();
      next.text = text_.substr(start, at_ - start);
      list_.tokens.push_back(next);
      count_lines(start, at_);
      prefix_start = at_;
      skip_blanks();
    }
    list_.tail = text_.substr(prefix_start);
  }

 private:
  char peek(std::size_t distance = 0) const {
    return at_ + distance < text_.size() ? text_[at_ + distance] : '\0';
  }

  void count_lines(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
      if (text_[i] == '\n') {
        ++line_;
        line_start_ = i + 1;
      }
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        line_start_ = ++at_;
        only_blanks_so_far_ = true;
      } else if (std::isspace(static_cast<unsigned char>(c))) {
        ++at_;
      } else if (c == '/' && peek(1) == '/') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '/' && peek(1) == '*') {
        const std::size_t start = at_;
        const std::size_t end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
        count_lines(start, at_);
      } else if (c == '\\' && peek(1) == '\n') {
        at_ += 2;
        ++line_;
        line_start_ = at_;
      } else if (c == '#' && only_blanks_so_far_) {
        take_directive();
      } else {
        break;
      }
    }
    only_blanks_so_far_ = false;
  }

  // A line marker `# 12 "file" 1 3`, or a pragma, which stays in the prefix of the next token.
  void take_directive() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view line = text_.substr(at_, end - at_);
    at_ = end;
    std::size_t digit = line.find_first_not_of(" \t", 1);
    if (digit == std::string_view::npos) return;
    if (line.substr(digit, 5) == "line ") digit += 5;
    if (!std::isdigit(static_cast<unsigned char>(line[digit]))) return;
    std::uint32_t number = 0;
    for (; digit < line.size() && std::isdigit(static_cast<unsigned char>(line[digit])); ++digit)
      number = number * 10 + static_cast<std::uint32_t>(line[digit] - '0');
    line_ = number - 1;  // the newline after the marker adds one
    const std::size_t open = line.find('"', digit);
    const std::size_t close = line.rfind('"');
    if (open == std::string_view::npos || close <= open) return;
    enter_file(line.substr(open + 1, close - open - 1), line.substr(close + 1));
  }

  void enter_file(std::string_view name, std::string_view flags) {
    const bool is_system = flags.find('3') != std::string_view::npos;
    const bool is_c = flags.find('4') != std::string_view::npos;
    const std::string kept = is_system ? (is_c ? " 3 4" : " 3") : "";
    for (std::size_t i = list_.files.size(); i-- > 0;)
      if (list_.files[i].name == name && list_.files[i].flags == kept) {
        file_ = static_cast<std::uint32_t>(i);
        return;
      }
    file_ = static_cast<std::uint32_t>(list_.files.size());
    list_.files.push_back({std::string(name), kept, is_system});
  }

  token_kind take_token() {
    const auto c = static_cast<unsigned char>(peek());
    if (starts_name(c)) {
      const std::size_t start = at_;
      while (continues_name(static_cast<unsigned char>(peek()))) ++at_;
      return take_literal_after(text_.substr(start, at_ - start));
    }
    if (std::isdigit(c) || (c == '.' && std::isdigit(static_cast<unsigned char>(peek(1))))) {
      take_number();
      return token_kind::number;
    }
    if (c == '"') return take_quoted('"'), token_kind::string;
    if (c == '\'') return take_quoted('\''), token_kind::character;
    take_punctuation();
    return token_kind::punctuation;
  }

  // A name may turn out to be the prefix of a literal: u8"…", LR"x(…)x", L'c'.
  token_kind take_literal_after(std::string_view name) {
    constexpr std::array prefixes{"L", "u", "U", "u8"};
    constexpr std::array raw_prefixes{"R", "LR", "uR", "UR", "u8R"};
    const auto is_one_of = [name](const auto& all) {
      return std::find(all.begin(), all.end(), name) != all.end();
    };
    if (peek() == '"' && is_one_of(raw_prefixes)) return take_raw_string(), token_kind::string;
    if (peek() == '"' && is_one_of(prefixes)) return take_quoted('"'), token_kind::string;
    if (peek() == '\'' && is_one_of(prefixes)) return take_quoted('\''), token_kind::character;
    return token_kind::identifier;
  }

  void take_number() {
    while (at_ < text_.size()) {
      const char c = peek();
      const bool is_exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
      if (is_exponent && (peek(1) == '+' || peek(1) == '-'))
        at_ += 2;
      else if (c == '\'' && continues_name(static_cast<unsigned char>(peek(1))))
        at_ += 2;
      else if (c == '.' || continues_name(static_cast<unsigned char>(c)))
        ++at_;
      else
        break;
    }
  }

  void take_quoted(char quote) {
    for (++at_; at_ < text_.size() && peek() != quote && peek() != '\n'; ++at_)
      if (peek() == '\\') ++at_;
    at_ = std::min(at_ + 1, text_.size());
    take_literal_suffix();
  }

  void take_raw_string() {
    const std::size_t open = std::min(text_.find('(', at_), text_.size());
    const std::string end =
        ')' + std::string(text_.substr(at_ + 1, open > at_ ? open - at_ - 1 : 0)) + '"';
    const std::size_t close = text_.find(end, open);
    at_ = close == std::string_view::npos ? text_.size() : close + end.size();
    take_literal_suffix();
  }

  void take_literal_suffix() {
    while (continues_name(static_cast<unsigned char>(peek()))) ++at_;
  }

  // `>` is always a separate token, so `>>>` and `A<B<C>>>` can be read piece by piece.
  void take_punctuation() {
    constexpr std::array<std::string_view, 23> several{
        "<<=", "<=>", "->*", "...", "::", "->", "<<", "<=", ">=", "==", "!=", "&&",
        "||",  "++",  "--",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^="};
    for (const std::string_view candidate : several)
      if (text_.substr(at_, candidate.size()) == candidate) {
        at_ += candidate.size();
        return;
      }
    ++at_;
  }

  token_list& list_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t file_ = 0;
  bool only_blanks_so_far_ = true;
};

}  // namespace

token_list::token_list(std::string preprocessed) : text(std::move(preprocessed)) {
  lexer(*this).run();
}

std::string token_list::location(std::size_t index) const {
  if (tokens.empty()) return "";
  const token& at = tokens[std::min(index, tokens.size() - 1)];
  return files[at.file].name + ":" + std::to_string(at.line);
}

std::string absolute_path(const std::string& file) {
  std::error_code failure;
  const auto whole = std::filesystem::absolute(file, failure);
  return failure ? file : whole.lexically_normal().string();
}

bool is_keyword_before_expression(std::string_view word) {
  constexpr std::array words{
      "return", "else",     "case", "throw",  "do",       "co_return", "goto",
      "if",     "while",    "for",  "switch", "co_yield", "and",       "or",
      "not",    "co_await", "new",  "delete", "sizeof",   "constexpr", "__extension__"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool has_parentheses_after_it(const token& word) {
  constexpr std::array<std::string_view, 12> words{"__attribute__",
                                                   "__attribute",
                                                   "alignas",
                                                   "_Alignas",
                                                   "decltype",
                                                   "typeof",
                                                   "__typeof__",
                                                   "explicit",
                                                   "noexcept",
                                                   "requires",
                                                   "__heddle_launch_bounds__",
                                                   "__heddle_cluster_dims__"};
  return word.is_one_of(words);
}

}  // namespace heddle::frontend
