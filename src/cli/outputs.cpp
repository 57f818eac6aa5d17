// Writes the files that options such as --json and --html name.
#include "cli/outputs.hpp"

#include <fmt/core.h>
#include <files/output.hpp>
#include <frontend/driver/build_error.hpp>

#include <algorithm>

namespace heddle::cli {
namespace {

bool is_on_standard_output(const named_output& output) {
  return !output.file.empty() && files::is_standard_output(output.file);
}

// Adds the option that asked for the file to the error message.
template <typename Work>
void blame_option(const named_output& output, Work work) {
  try {
    work();
  } catch (const files::write_error& failure) {
    throw frontend::build_error(fmt::format("{}: {}", output.option, failure.what()));
  }
}

}  // namespace

void expect_outputs(std::span<const named_output> outputs) {
  for (const named_output& output : outputs) {
    if (output.file.empty()) continue;
    blame_option(output, [&] { files::expect_writable(output.file); });
  }
  const auto first = std::find_if(outputs.begin(), outputs.end(), is_on_standard_output);
  if (first == outputs.end()) return;
  const auto second = std::find_if(first + 1, outputs.end(), is_on_standard_output);
  if (second != outputs.end())
    throw frontend::build_error(fmt::format("{} and {} cannot both write to standard output",
                                            first->option, second->option));
}

bool take_standard_output(std::span<const named_output> outputs) {
  return std::any_of(outputs.begin(), outputs.end(), is_on_standard_output);
}

void write_output(const named_output& output, const std::string& text) {
  blame_option(output, [&] { files::write(output.file, text); });
}

}  // namespace heddle::cli
