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

}  // namespace heddle_report
