// Finds the prelude by g++'s line markers.
#include "frontend/driver/prelude.hpp"

namespace heddle::frontend {
namespace {

constexpr std::string_view command_line_marker = " \"<command-line>\"";

// The text of the line at `from`, without its end.
std::string_view line_at(std::string_view text, std::size_t from) {
  return text.substr(from, text.find('\n', from) - from);
}

}  // namespace

// # 0 "a.cu"                      the head
// # 1 "/home/me//"
// # 0 "<built-in>"
// # 0 "<command-line>"
// …                               the prelude
// # 0 "<command-line>" 2
// # 1 "a.cu"                      the rest
std::optional<text_parts> split_at_prelude(std::string_view text) {
  const std::string_view first = line_at(text, 0);
  const std::size_t name = first.find('"');
  if (!first.starts_with("# ") || name == first.npos) return std::nullopt;
  std::size_t begin = 0;
  for (bool is_in_head = true; is_in_head;) {
    const std::string_view line = line_at(text, begin);
    if (!line.starts_with("# ") || begin + line.size() == text.size()) return std::nullopt;
    begin += line.size() + 1;
    is_in_head = !line.ends_with(command_line_marker);
  }
  const std::string start_of_file = "\n# 1 " + std::string(first.substr(name)) + "\n";
  const std::size_t end = text.find(start_of_file, begin);
  if (end == text.npos) return std::nullopt;
  return text_parts{text.substr(0, begin), text.substr(begin, end + 1 - begin),
                    text.substr(end + 1)};
}

// g++ writes this pragma itself if it preprocesses a file with a precompiled header.
std::string with_precompiled(const text_parts& text, const std::filesystem::path& header) {
  return std::string(text.head) + "#pragma GCC pch_preprocess \"" + header.string() + "\"\n" +
         std::string(text.rest);
}

}  // namespace heddle::frontend
