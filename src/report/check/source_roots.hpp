// Decides who owns a file: by where heddle and the compiler are installed, not by its name.
#pragma once
#include <string>

namespace heddle_report {

enum class file_owner : unsigned char {
  user,
  library,  // heddle's device headers, and the compiler's include folders
  machine,  // the runtime, the checker and the replacements for CUDA's headers
};

// `file` is an absolute path without `..`.
file_owner owner_of(const std::string& file);

// Adds the cuda_runtime.h of a program, which may differ from the one known here.
void add_program_header(const std::string& cuda_runtime_header);

// The absolute path, without `..`, of a file named in debug information. A path relative to its
// compilation folder (which may be null) is resolved only if the file exists, so those of the C
// library's own build stay as they are.
std::string whole_path(const char* file, const char* compiled_in);

}  // namespace heddle_report
