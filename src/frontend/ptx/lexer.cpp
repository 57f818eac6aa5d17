// Turns PTX text into tokens.
#include "frontend/ptx/lexer.hpp"

#include <algorithm>
#include <cctype>

namespace heddle::frontend::ptx {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_name_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}
bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }

class lexer {
 public:
  explicit lexer(const std::string& text) : text_(text) {}

  std::vector<token> run() {
    while (skip_blanks()) read_token();
    return std::move(tokens_);
  }

 private:
  bool skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ < text_.size();
  }

  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void read_token() {
    start_ = at_;
    const char c = peek();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return read_number();
    if (is_name_start(c) || (c == '.' && is_name_start(peek(1)))) {
      read_dotted();
      return add(token_kind::word, text_.substr(start_, at_ - start_));
    }
    if (c == '%') return read_percent();
    if (c == '"') return read_quoted();
    ++at_;
    add(token_kind::punctuation, std::string(1, c));
  }

  // Names joined by dots and `::`. `%=`, a number that differs between asm statements, may be part
  // of a name; labels are unique anyway.
  void read_dotted() {
    while (at_ < text_.size()) {
      if (is_name_part(peek()) || (peek() == '.' && is_name_part(peek(1))))
        ++at_;
      else if ((peek() == ':' && peek(1) == ':') || (peek() == '%' && peek(1) == '='))
        at_ += 2;
      else
        return;
    }
  }

  void read_number() {
    const bool is_hexadecimal_real =
        peek() == '0' && std::string("fFdD").find(peek(1)) != std::string::npos && peek(1) != '\0';
    const bool is_hexadecimal = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
    while (is_name_part(peek()) || peek() == '.' ||
           (!is_hexadecimal && !is_hexadecimal_real && (peek() == '-' || peek() == '+') &&
            (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E')))
      ++at_;
    std::string text = text_.substr(start_, at_ - start_);
    const bool is_decimal_real = !is_hexadecimal && text.find_first_of(".eE") != std::string::npos;
    if (is_hexadecimal_real || is_decimal_real) return add(token_kind::real, text);
    const bool is_integer = std::all_of(text.begin(), text.end(), [](unsigned char d) {
      return std::isxdigit(d) || d == 'x' || d == 'X' || d == 'U';
    });
    add(is_integer ? token_kind::integer : token_kind::unknown, text);
  }

  void read_percent() {
    ++at_;
    if (peek() == '%') ++at_;
    if (peek() == '[') {
      const std::size_t close = std::min(text_.find(']', at_), text_.size());
      const std::string name = text_.substr(at_ + 1, close - at_ - 1);
      at_ = std::min(close + 1, text_.size());
      return add(token_kind::parameter, name);
    }
    const std::size_t name = at_;
    if (is_digit(peek())) {
      while (is_digit(peek())) ++at_;
      return add(token_kind::parameter, text_.substr(name, at_ - name));
    }
    read_dotted();
    add(at_ == name ? token_kind::unknown : token_kind::percent, text_.substr(name, at_ - name));
  }

  void read_quoted() {
    const std::size_t close = text_.find('"', at_ + 1);
    at_ = close == std::string::npos ? text_.size() : close + 1;
    add(token_kind::quoted, text_.substr(start_, at_ - start_));
  }

  void add(token_kind kind, std::string text) {
    tokens_.push_back({kind, std::move(text), start_});
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::size_t start_ = 0;
  std::vector<token> tokens_;
};

}  // namespace

std::string without_comments(std::string text) {
  const auto blank = [&](std::size_t from, std::size_t to) {
    std::fill(text.begin() + static_cast<std::ptrdiff_t>(from),
              text.begin() + static_cast<std::ptrdiff_t>(std::min(to, text.size())), ' ');
  };
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] != '/') continue;
    if (text[i + 1] == '/') {
      blank(i, std::min(text.find('\n', i), text.size()));
    } else if (text[i + 1] == '*') {
      const std::size_t end = text.find("*/", i + 2);
      blank(i, end == std::string::npos ? text.size() : end + 2);
    }
  }
  return text;
}

std::vector<token> tokens_of(const std::string& text) { return lexer(text).run(); }

}  // namespace heddle::frontend::ptx
