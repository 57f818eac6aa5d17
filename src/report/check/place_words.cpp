// Formats lines, lanes and memory for reports.
#include "report/check/place_words.hpp"

#include <fmt/core.h>

#include <cctype>
#include <filesystem>
#include <string_view>

namespace heddle_report {
namespace {

// The opening bracket of the allocating call: the first one at or after the column, since compilers
// report either the start of the call or its bracket. Without a column, the first one.
std::size_t bracket_of_call(const std::string& source, int column) {
  std::size_t last = source.npos;
  for (std::size_t at = 0; at < source.size(); ++at) {
    const std::string_view rest = std::string_view(source).substr(at);
    if (!rest.starts_with("Malloc") && !rest.starts_with("HostAlloc")) continue;
    const std::size_t bracket = source.find('(', at);
    if (bracket == source.npos) break;
    last = bracket;
    if (static_cast<int>(bracket) + 1 >= column) break;
  }
  return last;
}

// `bins` from `cudaMalloc(&bins, 64)` or `cudaMalloc((void**)&bins, 64)`.
std::string name_in_call(const std::string& source, int column) {
  const std::size_t at = bracket_of_call(source, column);
  if (at == source.npos) return {};
  const std::string_view rest = std::string_view(source).substr(at + 1);
  const std::size_t end = rest.find_first_of(",;");
  const std::string_view argument = rest.substr(0, end);
  const std::size_t address = argument.rfind('&');
  if (address == argument.npos) return {};
  std::string name;
  for (const char c : argument.substr(address + 1)) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '.' && c != '[' &&
        c != ']') {
      break;
    }
    name += c;
  }
  return name;
}

}  // namespace

std::string short_path(const std::string& file) {
  if (file.empty() || file[0] != '/') return file;
  std::error_code failure;
  const auto here = std::filesystem::current_path(failure);
  if (failure) return file;
  const std::string relative = std::filesystem::path(file).lexically_relative(here).string();
  return relative.empty() || relative.starts_with("..") ? file : relative;
}

std::string words_of(const source_place& at) {
  return at.file.empty() ? std::string() : fmt::format("{}:{}", short_path(at.file), at.line);
}

std::string index_words(const std::array<unsigned, 3>& index) {
  return index[1] == 0 && index[2] == 0 ? fmt::format("{}", index[0])
                                        : fmt::format("({},{},{})", index[0], index[1], index[2]);
}

std::string words_of_lane(const found_place& place, bool names_kernel) {
  if (place.role == "launches") return fmt::format("kernel `{}`", place.kernel);
  const bool is_copy_or_fill = place.role == "copies" || place.role == "fills";
  if (place.is_in_stream) return is_copy_or_fill ? "in a stream" : "a host function in a stream";
  if (place.is_on_host) return "the host";
  return fmt::format("{}block {}, warp {}, lane {} = thread {}",
                     names_kernel ? fmt::format("kernel `{}`, ", place.kernel) : "",
                     index_words(place.block), place.warp, place.lane, index_words(place.thread));
}

std::string name_of(const found_memory& memory) {
  if (!memory.variable.empty()) {
    return fmt::format("{}`{}`", memory.is_shared ? "shared " : "", memory.variable);
  }
  if (memory.is_shared) return "dynamic shared memory";
  const std::string name = name_in_call(memory.allocated.source, memory.allocated.column);
  return name.empty() ? std::string() : fmt::format("`{}`", name);
}

std::string words_of(const found_memory& memory) {
  if (memory.bytes == 0) return {};
  const std::string name = name_of(memory);
  std::string text = fmt::format("byte {} of {}{}", memory.offset, memory.bytes,
                                 name.empty() ? "" : " in " + name);
  if (memory.allocated.line != 0)
    text += fmt::format(", {} at {}", memory.is_declared ? "declared" : "allocated",
                        words_of(memory.allocated));
  if (memory.freed.line != 0) text += fmt::format(", freed at {}", words_of(memory.freed));
  return text;
}

}  // namespace heddle_report
