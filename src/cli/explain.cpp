// `heddle explain`: prints the page about a kind of defect.
#include <fmt/core.h>
#include <frontend/driver/build_error.hpp>
#include <frontend/driver/installation.hpp>
#include <report/check/kinds.hpp>

#include <fstream>
#include <sstream>

#include "cli/commands.hpp"

namespace heddle::cli {
namespace {

constexpr const char* help_text = R"(heddle explain [KIND]

Prints the page about a kind of defect that `heddle check` finds: what it is, the smallest kernel that
has it, the report, and the fix. Without KIND, lists the kinds.
)";

void list_kinds() {
  for (const auto& kind : heddle_report::all_kinds()) {
    fmt::print("{:<21} {}\n", kind.name, kind.title);
  }
  fmt::print("\n`heddle explain KIND` describes one of them.\n");
}

}  // namespace

std::filesystem::path folder_of_pages() {
  return frontend::find_installation().debugger_script.parent_path() / "defects";
}

int explain_command(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return list_kinds(), 0;
  if (arguments[0] == "--help" || arguments[0] == "-h") return fmt::print("{}", help_text), 0;
  if (arguments.size() > 1) {
    fmt::print(stderr, "heddle: `heddle explain` takes one kind, but got {}\n", arguments.size());
    return 2;
  }
  if (heddle_report::find_kind(arguments[0]) == nullptr) {
    fmt::print(stderr, "heddle: unknown kind '{}'; the kinds are {}\n", arguments[0],
               heddle_report::names_of_kinds());
    return 2;
  }
  try {
    const auto path = folder_of_pages() / (arguments[0] + ".md");
    std::ifstream file(path);
    if (!file) {
      fmt::print(stderr, "heddle: {} is missing; reinstall heddle, or build it again\n",
                 path.string());
      return 2;
    }
    std::ostringstream text;
    text << file.rdbuf();
    fmt::print("{}", text.str());
    return 0;
  } catch (const frontend::build_error& failure) {
    fmt::print(stderr, "heddle: {}\n", failure.what());
    return 2;
  }
}

}  // namespace heddle::cli
