// Prints what a build does and why it fails.
#include "cli/build_messages.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <string_view>

namespace heddle::cli {

frontend::build_listener printing_listener(bool is_verbose) {
  frontend::build_listener listener;
  listener.on_command = [is_verbose](const std::string& command) {
    if (is_verbose) fmt::print(stderr, "{}\n", command);
  };
  listener.on_output = [](std::string_view text) { fmt::print(stderr, "{}", text); };
  listener.on_note = [is_verbose](const std::string& note) {
    if (is_verbose) fmt::print(stderr, "{}\n", note);
  };
  listener.on_kept_files = [](const std::filesystem::path& folder) {
    fmt::print(stderr, "heddle: kept intermediate files in {}\n", folder.string());
  };
  return listener;
}

void print_error(const frontend::build_error& failure) {
  const std::string_view text = failure.what();
  if (text.empty()) return;  // the compiler has printed its errors
  fmt::print(stderr, "{}{}\n", failure.is_complete() ? "" : "heddle: ", text);
}

}  // namespace heddle::cli
