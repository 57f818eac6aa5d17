// Who has called a hook, without a stack frame for it.
#pragma once

// Only as the first thing that a function does. On AArch64 the compiler's own way may strip a
// signature, which needs the frame, and a signature is not there yet when a function begins.
#if defined(__aarch64__)
namespace heddle_checker {
[[gnu::always_inline]] inline const void* entry_caller() {
  const void* code;
  asm volatile("mov %0, x30" : "=r"(code));
  return code;
}
}  // namespace heddle_checker
#define HEDDLE_ENTRY_CALLER ::heddle_checker::entry_caller()
#else
#define HEDDLE_ENTRY_CALLER __builtin_return_address(0)
#endif
