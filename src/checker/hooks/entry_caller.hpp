// The return address of a hook, read without a stack frame.
#pragma once

// Use it only as the first thing in a function. On AArch64, __builtin_return_address may strip a
// pointer authentication code, which needs a frame; on entry the address is not signed yet.
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
