// Goes over a text word by word and line by line.
#pragma once
#include <cstddef>
#include <string_view>

namespace heddle::cloud {

[[nodiscard]] inline bool is_blank(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\v' || letter == '\f';
}

// The next word of a line, which is taken off its front; empty at the end.
[[nodiscard]] inline std::string_view take_word(std::string_view& line) {
  std::size_t begin = 0;
  while (begin < line.size() && is_blank(line[begin])) ++begin;
  std::size_t end = begin;
  while (end < line.size() && !is_blank(line[end])) ++end;
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

class line_reader {
 public:
  explicit line_reader(std::string_view text, std::size_t begin = 0, std::size_t line = 0)
      : text_(text), at_(begin), line_(line) {}

  // The next line without its end, be that \n or \r\n. False behind the last one.
  [[nodiscard]] bool next(std::string_view& line) {
    if (at_ >= text_.size()) return false;
    const std::size_t end = text_.find('\n', at_);
    line = text_.substr(at_, end == text_.npos ? text_.npos : end - at_);
    at_ = end == text_.npos ? text_.size() : end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++line_;
    return true;
  }

  // The next line with a word in it.
  [[nodiscard]] bool next_filled(std::string_view& line) {
    while (next(line)) {
      std::string_view rest = line;
      if (!take_word(rest).empty()) return true;
    }
    return false;
  }

  [[nodiscard]] std::size_t byte() const { return at_; }      // behind the line
  [[nodiscard]] std::size_t number() const { return line_; }  // of the line, from 1

 private:
  std::string_view text_;
  std::size_t at_;
  std::size_t line_;
};

}  // namespace heddle::cloud
