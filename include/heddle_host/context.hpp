// The resume point of suspended code, and the switch from one to another.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define HEDDLE_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HEDDLE_ADDRESS_SANITIZER 1
#endif
#endif

namespace heddle_host {

// What suspended code leaves on top of its stack: the registers in which compilers prefer to keep
// values across calls, and the resume address.
struct stopped_frame {
#if defined(__aarch64__)
  void* frame_pointer;
  const void* code;
  void* registers[6];  // x19 to x24: as many as fill a cache line
#elif defined(__x86_64__)
  void* frame_pointer;
  void* registers[5];  // rbx, r12 to r15
  const void* code;
  void* red_zone[16];  // the area below the stack pointer may be in use
#else
#error "heddle runs on x86-64 and aarch64"
#endif
};

#if defined(__aarch64__)
static_assert(sizeof(stopped_frame) == 64);  // the assembly below relies on it
#else
static_assert(sizeof(stopped_frame) == 184);
#endif

// The resume point of suspended code. Valid for one switch.
using context = stopped_frame*;

// A fiber, as seen by the code that it runs.
struct runner {
  context idle = nullptr;  // where it resumes when it gets new work
};

// Clobbered registers that exist only if the compiler targets such a processor.
#if defined(__ARM_FEATURE_SVE)
#define HEDDLE_MORE_LOST_REGISTERS                                                                 \
  , "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11", "p12", "p13", "p14", \
      "p15"
#elif defined(__AVX512F__)
#define HEDDLE_MORE_LOST_REGISTERS                                                              \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",   \
      "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", \
      "k6", "k7"
#else
#define HEDDLE_MORE_LOST_REGISTERS
#endif

// Notify the address sanitizer: before a switch, and after it on the other stack.
void leave_stack(context next, void** fake_stack);
void enter_stack(void* fake_stack);

// Suspends the running code, stores its resume point in `mine` and resumes `next`. Returns when
// somebody switches to `mine`.
//
// All other registers are declared as clobbered, so the compiler saves those it needs. A signal may
// arrive at any instruction and use the stack below the stack pointer, so the frame is read before
// it is released. The jump to `next` is an indirect branch, not a return: the processor would
// predict a return from its last call, which was made on another stack.
[[gnu::always_inline]] inline void switch_context(context& mine, context next) {
#ifdef HEDDLE_ADDRESS_SANITIZER
  void* fake_stack = nullptr;
  leave_stack(next, &fake_stack);
#endif
#if defined(__aarch64__)
  register context* from asm("x0") = &mine;
  register context to asm("x1") = next;
  asm volatile(
      "sub sp, sp, #64\n\t"
      "adr x2, 1f\n\t"
      "stp x29, x2, [sp]\n\t"
      "stp x19, x20, [sp, #16]\n\t"
      "stp x21, x22, [sp, #32]\n\t"
      "stp x23, x24, [sp, #48]\n\t"
      "mov x3, sp\n\t"
      "str x3, [x0]\n\t"
      "ldp x29, x2, [x1]\n\t"
      "ldp x19, x20, [x1, #16]\n\t"
      "ldp x21, x22, [x1, #32]\n\t"
      "ldp x23, x24, [x1, #48]\n\t"
      "add sp, x1, #64\n\t"
      "br x2\n"
      "1:\n\t"
      "hint #36"  // landing pad for indirect branches (bti j)
      : "+r"(from), "+r"(to)
      :
      : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
        "x16", "x17", "x18", "x25", "x26", "x27", "x28", "x30", "v0", "v1", "v2", "v3", "v4", "v5",
        "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18",
        "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31",
        "cc", "memory" HEDDLE_MORE_LOST_REGISTERS);
#elif defined(__x86_64__)
  context* from = &mine;
  context to = next;
  asm volatile(
      "leaq -184(%%rsp), %%rsp\n\t"
      "leaq 1f(%%rip), %%rax\n\t"
      "movq %%rbp, (%%rsp)\n\t"
      "movq %%rbx, 8(%%rsp)\n\t"
      "movq %%r12, 16(%%rsp)\n\t"
      "movq %%r13, 24(%%rsp)\n\t"
      "movq %%r14, 32(%%rsp)\n\t"
      "movq %%r15, 40(%%rsp)\n\t"
      "movq %%rax, 48(%%rsp)\n\t"
      "movq %%rsp, (%%rdi)\n\t"
      "movq (%%rsi), %%rbp\n\t"
      "movq 8(%%rsi), %%rbx\n\t"
      "movq 16(%%rsi), %%r12\n\t"
      "movq 24(%%rsi), %%r13\n\t"
      "movq 32(%%rsi), %%r14\n\t"
      "movq 40(%%rsi), %%r15\n\t"
      "movq 48(%%rsi), %%rax\n\t"
      "leaq 184(%%rsi), %%rsp\n\t"
      "jmpq *%%rax\n"
      "1:"
      : "+D"(from), "+S"(to)
      :
      : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4",
        "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
        "xmm15", "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)", "cc",
        "memory" HEDDLE_MORE_LOST_REGISTERS);
#endif
#ifdef HEDDLE_ADDRESS_SANITIZER
  enter_stack(fake_stack);
#endif
}

#undef HEDDLE_MORE_LOST_REGISTERS

}  // namespace heddle_host
