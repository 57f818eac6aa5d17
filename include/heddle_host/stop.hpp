// Ends the program when it reaches something that the CPU does not support.
#pragma once

namespace heddle_host {

// Flushes the program's output, reports what was reached (`the inline PTX `mma.sync``,
// `file.cu:12`), and exits with status 2.
[[noreturn]] void stop_program(const char* what, const char* where);

// The same for a call, such as "the driver call `cuModuleLoad`", that returns to `caller`. `advice`
// says what to do instead; it may be null.
[[noreturn]] void stop_at_call(const char* what, const char* advice, const void* caller);

}  // namespace heddle_host
