// Splits a text into words and lines.
#pragma once
#include <cstddef>
#include <string_view>

namespace heddle::cloud {

[[nodiscard]] inline bool is_blank(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\v' || letter == '\f';
}

// Takes the next word off the front of a line; empty at the end.
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

  // The next line without its \n or \r\n. False after the last one.
  [[nodiscard]] bool next(std::string_view& line) {
    if (at_ >= text_.size()) return false;
    const std::size_t end = text_.find('\n', at_);
    line = text_.substr(at_, end == text_.npos ? text_.npos : end - at_);
    at_ = end == text_.npos ? text_.size() : end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++line_;
    return true;
  }

  // The next line that contains a word.
  [[nodiscard]] bool next_filled(std::string_view& line) {
    while (next(line)) {
      std::string_view rest = line;
      if (!take_word(rest).empty()) return true;
    }
    return false;
  }

  [[nodiscard]] std::size_t byte() const { return at_; }      // after the line
  [[nodiscard]] std::size_t number() const { return line_; }  // of the line, from 1

 private:
  std::string_view text_;
  std::size_t at_;
  std::size_t line_;
};

}  // namespace heddle::cloud
