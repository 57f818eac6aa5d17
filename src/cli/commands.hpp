// The commands of the `heddle` binary: one file each.
#pragma once
#include <string>
#include <vector>

namespace heddle::cli {

// Each takes the words behind its name and returns the process's exit code.
int run_command(const std::vector<std::string>& words);
int cc_command(const std::vector<std::string>& words);
int version_command();

}  // namespace heddle::cli
