// Whose file it is: told by where heddle and the compiler are installed, not by what a path looks
// like.
#pragma once
#include <string>

namespace heddle_report {

enum class file_owner : unsigned char {
  user,
  library,  // heddle's own for kernels, and what lies in the compiler's include folders
  machine,  // the runtime, the checker and the stand-ins for CUDA's headers
};

// `file` is an absolute path without `..`.
file_owner owner_of(const std::string& file);

// A program was compiled with this cuda_runtime.h, which may not be the one that is known here.
void add_program_header(const std::string& cuda_runtime_header);

// The absolute path of a file that debug information names: without `..`. One that is relative to
// where it was compiled (may be null) only if it is still there, so those of the C library's own
// build stay as they are.
std::string whole_path(const char* file, const char* compiled_in);

}  // namespace heddle_report
