// Compares what a program has printed under two schedules.
#include "report/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <vector>

namespace heddle_report {
namespace {

// Sums of many floats in another order differ by a few units of the sixth digit.
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
  // A whole number has no rounding.
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
    text += fmt::format("\n           … and {} lines more", lines.size() - most_lines);
  }
  return lines.empty() ? "\n           (nothing)" : text;
}

}  // namespace

std::string difference_of_outputs(const std::string& first, const std::string& first_schedule,
                                  const std::string& second, const std::string& second_schedule) {
  if (first == second) return {};
  const std::vector<std::string> a = sorted_lines(first);
  const std::vector<std::string> b = sorted_lines(second);
  std::vector<std::string> only_a, only_b;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(only_a));
  std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(only_b));
  if (only_a.empty() && only_b.empty()) return {};
  bool is_rounding = only_a.size() == only_b.size();
  for (std::size_t i = 0; is_rounding && i < only_a.size(); ++i) {
    is_rounding = differ_by_rounding(only_a[i], only_b[i]);
  }
  return fmt::format("the output differs between schedules{}\n         {}:{}\n         {}:{}",
                     is_rounding ? ", by the rounding of floating-point numbers only" : "",
                     first_schedule, some(only_a), second_schedule, some(only_b));
}

}  // namespace heddle_report
