// `heddle version`: prints the version of heddle and of the CUDA that it implements.
#include <fmt/core.h>

#include "cli/commands.hpp"

namespace heddle::cli {

int version_command() {
  // Build scripts look for the words after the comma, which nvcc prints, too.
  fmt::print("heddle {}: CUDA C++ on the CPU\nCuda compilation tools, release 13.0, V13.0.0\n",
             HEDDLE_VERSION);
  return 0;
}

}  // namespace heddle::cli
