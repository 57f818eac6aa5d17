// Writes compile_commands.json, which tells editors how to parse each source file.
#pragma once
#include <frontend/driver/build.hpp>

#include <filesystem>
#include <vector>

namespace heddle::cli {

// Adds the entries to `file`, replacing those for the same sources. Safe to call from concurrent
// processes, as under `make -j`.
//   throws   std::runtime_error with a message if `file` cannot be written, or holds anything
//            else than such entries; it is then left unchanged
void add_compile_commands(const std::filesystem::path& file,
                          const std::vector<frontend::compile_command>& entries);

}  // namespace heddle::cli
