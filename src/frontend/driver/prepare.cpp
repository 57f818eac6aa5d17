// Fixes up preprocessed text; only lines that begin with `#` are examined.
#include "frontend/driver/prepare.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace heddle::frontend {
namespace {

// Calls `visit(line)` for each line that begins with `#`, with its offset.
template <typename Visit>
void each_directive(std::string_view text, Visit visit) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (text[at] == '#') visit(at, text.substr(at, end - at));
    const std::size_t next = text.find("\n#", end);
    if (next == std::string_view::npos) break;
    at = next + 1;
  }
}

bool is_line_marker(std::string_view line) {
  return line.size() > 3 && line[1] == ' ' && std::isdigit(static_cast<unsigned char>(line[2]));
}

std::string_view path_of(std::string_view marker) {
  const std::size_t open = marker.find('"'), close = marker.rfind('"');
  if (open == std::string_view::npos || close <= open) return {};
  return marker.substr(open + 1, close - open - 1);
}

bool is_pragma_of_nvcc(std::string_view line) {
  constexpr std::array<std::string_view, 6> words{"unroll", "nounroll", "nv_", "hd_warning_disable",
                                                  "diag_",  "nv_exec"};
  if (line.substr(0, 7) != "#pragma") return false;
  const std::size_t word = line.find_first_not_of(" \t", 7);
  if (word == std::string_view::npos) return false;
  return std::any_of(words.begin(), words.end(), [&](std::string_view start) {
    return line.substr(word, start.size()) == start;
  });
}

}  // namespace

std::string prepare(std::string text, const std::vector<std::string>& quiet_folders) {
  std::string result;
  result.reserve(text.size() + text.size() / 64);
  std::size_t copied = 0;
  each_directive(text, [&](std::size_t at, std::string_view line) {
    if (is_pragma_of_nvcc(line)) {
      result.append(text, copied, at - copied);
      copied = at + line.size();
      return;
    }
    if (!is_line_marker(line)) return;
    const std::string_view path = path_of(line);
    const bool is_quiet =
        std::any_of(quiet_folders.begin(), quiet_folders.end(), [&](const std::string& folder) {
          return !folder.empty() && path.size() > folder.size() &&
                 path.substr(0, folder.size()) == folder && path[folder.size()] == '/';
        });
    const std::string_view flags = line.substr(std::min(line.rfind('"') + 1, line.size()));
    if (!is_quiet || flags.find('3') != std::string_view::npos) return;
    result.append(text, copied, at - copied);
    result.append(line);
    result.append(" 3");
    copied = at + line.size();
  });
  result.append(text, copied);
  return result;
}

std::vector<entered_file> entered_files(std::string_view text) {
  std::vector<entered_file> found;
  std::string file;
  std::size_t line = 0, counted_from = 0;
  each_directive(text, [&](std::size_t at, std::string_view marker) {
    if (!is_line_marker(marker)) return;
    const std::string_view path = path_of(marker);
    const std::string_view flags = marker.substr(std::min(marker.rfind('"') + 1, marker.size()));
    if (flags.substr(0, 2) == " 1") {
      const std::string_view between = text.substr(counted_from, at - counted_from);
      const auto newlines =
          static_cast<std::size_t>(std::count(between.begin(), between.end(), '\n'));
      found.push_back({std::string(path), file + ":" + std::to_string(line + newlines)});
    }
    file = path;
    line = static_cast<std::size_t>(std::stoul(std::string(marker.substr(2))));
    counted_from = std::min(text.find('\n', at) + 1, text.size());
  });
  return found;
}

}  // namespace heddle::frontend
