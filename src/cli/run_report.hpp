// `heddle run --report`: which operations of the program give exactly a GPU's results.
#pragma once
#include <filesystem>
#include <vector>

#include <frontend/driver/command_line.hpp>

#include "cli/outputs.hpp"

namespace heddle::cli {

// The files that --report and --json name.
std::vector<named_output> outputs_of(const frontend::run_options& options);

// Reports on the code that the program has marked in the files of `marks`.
void report_run(const frontend::command_line& line, const std::filesystem::path& marks);

}  // namespace heddle::cli
