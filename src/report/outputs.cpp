// Compares the output of a program under two schedules.
#include "report/outputs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <vector>

namespace heddle_report {
namespace {

// Summing many floats in another order changes the sixth digit by a few units.
constexpr double rounding = 1e-4;
constexpr std::size_t most_lines = 3;

std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

bool is_float(const std::string& word, double& value) {
  char* end = nullptr;
  value = std::strtod(word.c_str(), &end);
  if (end == word.c_str()) return false;
  // Whole numbers are not rounded.
  return word.find_first_of(".eE") != word.npos && std::isfinite(value);
}

bool differ_by_rounding(const std::string& a, const std::string& b) {
  std::istringstream first(a);
  std::istringstream second(b);
  std::string left, right;
  while (true) {
    const bool has_left = static_cast<bool>(first >> left);
    const bool has_right = static_cast<bool>(second >> right);
    if (has_left != has_right) return false;
    if (!has_left) return true;
    if (left == right) continue;
    double x = 0;
    double y = 0;
    if (!is_float(left, x) || !is_float(right, y)) return false;
    if (std::abs(x - y) > rounding * std::max(std::abs(x), std::abs(y))) return false;
  }
}

std::string some(const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size() && i < most_lines; ++i) {
    text += fmt::format("\n           {}", lines[i].substr(0, 120));
  }
  if (lines.size() > most_lines) {
    text += fmt::format("\n           … and {} more lines", lines.size() - most_lines);
  }
  return lines.empty() ? "\n           (nothing)" : text;
}

// "time 3.1 ms" and "time 2.9 ms" have the same shape.
std::string shape_of(const std::string& line) {
  std::string shape;
  for (std::size_t i = 0; i < line.size();) {
    const auto is_of_word = [&](std::size_t at) {
      return at < line.size() && (std::isalnum(static_cast<unsigned char>(line[at])) != 0 ||
                                  line[at] == '.' || line[at] == '-' || line[at] == '+');
    };
    std::size_t end = i;
    while (is_of_word(end)) ++end;
    const std::string word = line.substr(i, std::max<std::size_t>(end - i, 1));
    shape += word.find_first_of("0123456789") == word.npos ? word : "#";
    i += word.size();
  }
  return shape;
}

struct unmatched_lines {
  std::vector<std::string> first, second;
  [[nodiscard]] bool is_empty() const { return first.empty() && second.empty(); }
};

unmatched_lines unmatched(const std::string& first, const std::string& second) {
  unmatched_lines only;
  if (first == second) return only;
  const std::vector<std::string> a = sorted_lines(first);
  const std::vector<std::string> b = sorted_lines(second);
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(only.first));
  std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(only.second));
  return only;
}

}  // namespace

line_shapes shapes_that_differ(const std::string& first, const std::string& second) {
  const unmatched_lines only = unmatched(first, second);
  line_shapes shapes;
  for (const auto* lines : {&only.first, &only.second}) {
    for (const std::string& line : *lines) shapes.insert(shape_of(line));
  }
  return shapes;
}

output_difference difference_of_outputs(const printed& first, const printed& second,
                                        const line_shapes& ignored) {
  unmatched_lines only = unmatched(first.text, second.text);
  for (auto* lines : {&only.first, &only.second}) {
    std::erase_if(*lines,
                  [&](const std::string& line) { return ignored.contains(shape_of(line)); });
  }
  if (only.is_empty()) return {};
  bool is_rounding = only.first.size() == only.second.size();
  for (std::size_t i = 0; is_rounding && i < only.first.size(); ++i) {
    is_rounding = differ_by_rounding(only.first[i], only.second[i]);
  }
  return {fmt::format("the output differs between schedules{}\n         {}:{}\n         {}:{}",
                      is_rounding ? ", but only in floating-point rounding" : "", first.schedule,
                      some(only.first), second.schedule, some(only.second)),
          is_rounding};
}

}  // namespace heddle_report
