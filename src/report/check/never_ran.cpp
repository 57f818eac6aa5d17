// Lists the lines and kernels that never ran.
#include "report/check/never_ran.hpp"

#include <fmt/core.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "report/check/place_words.hpp"

namespace heddle_report {
namespace {

constexpr std::size_t most_ranges = 8;
constexpr std::size_t most_kernels = 4;

std::string and_more(std::size_t all, std::size_t shown) {
  return all > shown ? fmt::format(", and {} more", all - shown) : "";
}

}  // namespace

std::string text_of(const never_ran& what) {
  std::string text;
  if (!what.lines.empty()) {
    text += "lines that never ran: ";
    const std::size_t shown = std::min(what.lines.size(), most_ranges);
    for (std::size_t i = 0; i < shown; ++i) {
      const line_range& one = what.lines[i];
      const bool is_same_file = i > 0 && what.lines[i - 1].file == one.file;
      text += i == 0 ? "" : is_same_file ? ", " : "; ";
      if (!is_same_file) text += short_path(one.file) + ':';
      text += std::to_string(one.first);
      if (one.last != one.first) text += fmt::format("-{}", one.last);
    }
    text += and_more(what.lines.size(), shown) + '\n';
  }
  if (!what.kernels.empty()) {
    text += "kernels that never ran: ";
    const std::size_t shown = std::min(what.kernels.size(), most_kernels);
    for (std::size_t i = 0; i < shown; ++i) {
      text += fmt::format("{}`{}`", i == 0 ? "" : ", ", what.kernels[i]);
    }
    text += and_more(what.kernels.size(), shown) + '\n';
  }
  return text;
}

void add_json(nlohmann::json& coverage, const never_ran& what) {
  if (!what.is_known) return;
  auto& lines = coverage["lines_never_run"] = nlohmann::json::array();
  for (const line_range& one : what.lines) {
    lines.push_back({{"file", one.file}, {"first", one.first}, {"last", one.last}});
  }
  coverage["kernels_never_run"] = what.kernels;
}

}  // namespace heddle_report
