// Rewritten text, normalised for comparison: one line, single blanks, no line markers.
#pragma once
#include <frontend/rewrite/rewrite.hpp>

#include <cctype>
#include <sstream>
#include <string>

namespace heddle::frontend {

inline std::string flattened(const std::string& text) {
  std::istringstream lines(text);
  std::string flat;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("# ", 0) == 0) continue;
    for (const char c : line + " ") {
      const bool is_blank = std::isspace(static_cast<unsigned char>(c)) != 0;
      if (!is_blank)
        flat += c;
      else if (!flat.empty() && flat.back() != ' ')
        flat += ' ';
    }
  }
  while (!flat.empty() && flat.back() == ' ') flat.pop_back();
  return flat;
}

// Removes blanks around punctuation, so that only the tokens count.
inline std::string tokens_of(const std::string& text) {
  const std::string flat = flattened(text);
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  std::string packed;
  for (std::size_t i = 0; i < flat.size(); ++i) {
    const bool separates_words = flat[i] == ' ' && i > 0 && i + 1 < flat.size() &&
                                 is_word(flat[i - 1]) && is_word(flat[i + 1]);
    if (flat[i] != ' ' || separates_words) packed += flat[i];
  }
  return packed;
}

inline std::string rewritten(const std::string& text, const rewrite_options& options = {}) {
  const rewrite_result result = rewrite("# 1 \"user.cu\"\n" + text, options);
  std::string complaints;
  for (const diagnostic& one : result.diagnostics)
    complaints += one.location + ": " + one.text + "\n";
  return complaints.empty() ? tokens_of(result.text) : complaints;
}

}  // namespace heddle::frontend
