// Checks a compiled object against the limit on static shared memory.
#pragma once
#include <string>

namespace heddle::frontend {

inline constexpr unsigned long most_static_shared_bytes = 48 * 1024;

// Names the kernels that declare more shared memory than ptxas allows; empty if none does.
// `symbols` is the output of `nm --format=posix`, with a mangled name at the start of each line.
// Only the compiler knows the sizes, and those of a template only once it is instantiated, so they
// are encoded in symbol names.
std::string kernels_over_the_shared_limit(const std::string& symbols);

}  // namespace heddle::frontend
