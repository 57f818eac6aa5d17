// compile_commands.json: how an editor parses each source file.
#pragma once
#include <frontend/build.hpp>

#include <filesystem>
#include <vector>

namespace heddle::cli {

// Adds the entries to `file`, in place of those it has for the same sources. The processes of a
// `make -j` may do so at the same time.
//   throws   std::runtime_error with one sentence if `file` holds anything but such entries, which
//            is then left as it is, or cannot be written
void add_compile_commands(const std::filesystem::path& file,
                          const std::vector<frontend::compile_command>& entries);

}  // namespace heddle::cli
