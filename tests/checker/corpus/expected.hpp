// Reads a defect's `.expected` file.
#pragma once
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle_corpus {

// A place that the finding must name: what happens there, and the line or the range of lines.
struct expected_side {
  std::string role;
  int line = 0;
  int last_line = 0;
};

struct expected_finding {
  std::string kind;
  std::vector<std::string> schedules;  // empty: `converged` must show it
  std::vector<expected_side> sides;
  std::vector<std::string> words;  // each must occur in one of its sentences
};

inline std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

inline std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; (at = text.find_first_not_of(' ', at)) != text.npos;) {
    const std::size_t end = text.find(' ', at);
    words.push_back(text.substr(at, end - at));
    if (end == text.npos) break;
    at = end;
  }
  return words;
}

// The number of the only line that contains the text.
inline int line_with(const std::string& text, const std::string& source) {
  std::ifstream file(source);
  int found = 0;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.find(text) == line.npos) continue;
    if (found != 0) throw std::runtime_error("two lines of " + source + " hold: " + text);
    found = number;
  }
  if (found == 0) throw std::runtime_error("no line of " + source + " holds: " + text);
  return found;
}

// A loop is written as its first and its last line, with dots in between.
inline expected_side side_of(const std::string& role, const std::string& text,
                             const std::string& source) {
  const std::string dots = " … ";
  const std::size_t middle = text.find(dots);
  const int line = line_with(text.substr(0, middle), source);
  if (middle == text.npos) return {role, line, line};
  return {role, line, line_with(text.substr(middle + dots.size()), source)};
}

inline std::vector<expected_finding> read_expected(const std::string& file,
                                                   const std::string& source) {
  std::ifstream text(file);
  if (!text) throw std::runtime_error("there is no file " + file);
  std::vector<expected_finding> all;
  bool is_new = true;
  for (std::string line; std::getline(text, line);) {
    if (trimmed(line).empty()) {
      is_new = true;
      continue;
    }
    if (is_new) all.emplace_back();
    is_new = false;
    const std::size_t colon = line.find(':');
    const std::string key = line.substr(0, colon);
    const std::string value = trimmed(line.substr(colon + 1));
    if (key == "kind") {
      all.back().kind = value;
    } else if (key == "schedules") {
      all.back().schedules = words_of(value);
    } else if (key == "says") {
      all.back().words.push_back(value);
    } else if (key != "variable" && key != "lanes") {
      all.back().sides.push_back(side_of(key, value, source));
    }
  }
  return all;
}

}  // namespace heddle_corpus
