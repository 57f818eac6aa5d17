// The limit on static shared memory, held against what a compiled object declares.
#pragma once
#include <string>

namespace heddle::frontend {

inline constexpr unsigned long most_static_shared_bytes = 48 * 1024;

// `symbols`: what `nm --format=posix` says, a mangled name at the begin of each line. Says which
// kernels declare more shared memory than ptxas allows; empty: none. Only the compiler knows the
// sizes, and those of a template only when it is instantiated; so they stand in the names of its
// symbols.
std::string kernels_over_the_shared_limit(const std::string& symbols);

}  // namespace heddle::frontend
