// Ends the kernel of a lane that did what PTX leaves undefined.
#pragma once
#include <heddle_host/finding_cause.hpp>

namespace heddle_host {

// Outside a kernel, ends the program.
[[noreturn]] void trap(finding_cause why);

}  // namespace heddle_host
