// Decodes x86-64 and AArch64 instructions: length, control flow, calls, and the linker's stubs.
#include <gtest/gtest.h>
#include <report/check/instructions.hpp>

#include <cstdint>
#include <vector>

namespace heddle_report {
namespace {

using bytes = std::vector<unsigned char>;

bytes words(const std::vector<std::uint32_t>& instructions) {
  bytes all;
  for (const std::uint32_t word : instructions) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      all.push_back(static_cast<unsigned char>(word >> shift));
    }
  }
  return all;
}

TEST(direct_calls, are_found_forwards_and_backwards_on_aarch64) {
  const bytes code = words({0xd503201f,    // nop
                            0x94000003,    // bl  +12
                            0x97fffffe,    // bl  -8
                            0x14000002,    // b   +8, not a call
                            0x54000040,    // b.eq +8
                            0xd63f0200});  // blr x16, whose target is not known
  const auto calls = find_direct_calls({code, 0x10000}, instruction_set::aarch64);
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].at, 0x10004u);
  EXPECT_EQ(calls[0].returns_to, 0x10008u);
  EXPECT_EQ(calls[0].target, 0x10010u);
  EXPECT_EQ(calls[1].target, 0x10000u);
}

TEST(direct_calls, are_found_at_any_byte_on_x86_64) {
  const bytes code{0x90,                          // nop
                   0xe8, 0x05, 0x00, 0x00, 0x00,  // call +5
                   0xe8, 0xf5, 0xff, 0xff, 0xff,  // call -11
                   0x48, 0x89, 0xc7,              // mov %rax,%rdi
                   0xff, 0xd0};                   // call *%rax, whose target is not known
  const auto calls = find_direct_calls({code, 0x401000}, instruction_set::x86_64);
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].at, 0x401001u);
  EXPECT_EQ(calls[0].returns_to, 0x401006u);
  EXPECT_EQ(calls[0].target, 0x40100bu);
  EXPECT_EQ(calls[1].target, 0x401000u);
}

TEST(direct_calls, are_not_read_beyond_the_end_of_the_code) {
  const bytes half_of_a_word{0x03, 0x00, 0x00};
  EXPECT_TRUE(find_direct_calls({half_of_a_word, 0}, instruction_set::aarch64).empty());
  const bytes half_of_a_call{0x90, 0xe8, 0x05, 0x00, 0x00};
  EXPECT_TRUE(find_direct_calls({half_of_a_call, 0}, instruction_set::x86_64).empty());
}

struct expected {
  bytes code;
  flow goes;
  std::int64_t distance;  // of the target, from the start of the instruction
  const char* text;
};

void expect_instructions(const std::vector<expected>& all, instruction_set set) {
  constexpr std::uint64_t begin = 0x401000;
  for (const expected& one : all) {
    bytes code = one.code;
    code.insert(code.end(), 16, 0x90);  // the bytes after it do not matter
    const instruction read = read_instruction({code, begin}, begin, set);
    EXPECT_EQ(read.bytes, one.code.size()) << one.text;
    EXPECT_EQ(read.goes, one.goes) << one.text;
    if (one.goes == flow::next || one.goes == flow::end) continue;
    EXPECT_EQ(read.target, begin + static_cast<std::uint64_t>(one.distance)) << one.text;
  }
}

TEST(decoded_instruction, gives_the_next_address_on_aarch64) {
  expect_instructions({{words({0x14000002}), flow::jump, 8, "b +8"},
                       {words({0x17ffffff}), flow::jump, -4, "b -4"},
                       {words({0x54000041}), flow::branch, 8, "b.ne +8"},
                       {words({0x54ffffe0}), flow::branch, -4, "b.eq -4"},
                       {words({0xb4000101}), flow::branch, 32, "cbz x1, +32"},
                       {words({0x35ffff80}), flow::branch, -16, "cbnz w0, -16"},
                       {words({0x37180040}), flow::branch, 8, "tbnz w0, #3, +8"},
                       {words({0xb6fffff3}), flow::branch, -4, "tbz x19, #62, -4"},
                       {words({0x94000003}), flow::call, 12, "bl +12"},
                       {words({0xd63f0200}), flow::next, 0, "blr x16"},
                       {words({0xd61f0220}), flow::end, 0, "br x17"},
                       {words({0xd65f03c0}), flow::end, 0, "ret"},
                       {words({0xd4200020}), flow::end, 0, "brk #1"},
                       {words({0xd503201f}), flow::next, 0, "nop"},
                       {words({0xf9400211}), flow::next, 0, "ldr x17, [x16]"}},
                      instruction_set::aarch64);
}

TEST(decoded_instruction, gives_the_next_address_on_x86_64) {
  expect_instructions(
      {{{0xeb, 0x06}, flow::jump, 8, "jmp +8"},
       {{0xe9, 0xf6, 0xff, 0xff, 0xff}, flow::jump, -5, "jmp -5"},
       {{0x75, 0xfe}, flow::branch, 0, "jne to itself"},
       {{0x0f, 0x84, 0x00, 0x01, 0x00, 0x00}, flow::branch, 262, "je +262"},
       {{0xe8, 0x05, 0x00, 0x00, 0x00}, flow::call, 10, "call +10"},
       {{0xff, 0xd0}, flow::next, 0, "call *%rax"},
       {{0xff, 0x15, 0, 0, 0, 0}, flow::next, 0, "call *(%rip)"},
       {{0xff, 0xe0}, flow::end, 0, "jmp *%rax"},
       {{0x3e, 0xff, 0x24, 0xc5, 0, 0, 0, 0}, flow::end, 0, "notrack jmp *(,%rax,8)"},
       {{0xc3}, flow::end, 0, "ret"},
       {{0xf3, 0xc3}, flow::end, 0, "repz ret"},
       {{0x0f, 0x0b}, flow::end, 0, "ud2"}},
      instruction_set::x86_64);
}

TEST(decoded_instruction, has_the_right_length_on_x86_64) {
  expect_instructions(
      {{{0x90}, flow::next, 0, "nop"},
       {{0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0}, flow::next, 0, "nopw %cs:0(%rax,%rax,1)"},
       {{0xf3, 0x0f, 0x1e, 0xfa}, flow::next, 0, "endbr64"},
       {{0x48, 0x89, 0xc7}, flow::next, 0, "mov %rax,%rdi"},
       {{0x48, 0x8b, 0x44, 0x24, 0x08}, flow::next, 0, "mov 8(%rsp),%rax"},
       {{0x48, 0x8d, 0x05, 1, 2, 3, 4}, flow::next, 0, "lea (%rip),%rax"},
       {{0x8b, 0x04, 0x85, 1, 2, 3, 4}, flow::next, 0, "mov (,%rax,4),%eax"},
       {{0xb8, 1, 2, 3, 4}, flow::next, 0, "mov $…,%eax"},
       {{0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8}, flow::next, 0, "movabs $…,%rax"},
       {{0x66, 0xc7, 0x00, 1, 2}, flow::next, 0, "movw $…,(%rax)"},
       {{0xc7, 0x45, 0xf0, 1, 2, 3, 4}, flow::next, 0, "movl $…,-16(%rbp)"},
       {{0x83, 0xc0, 0x01}, flow::next, 0, "add $1,%eax"},
       {{0x48, 0x81, 0xec, 1, 2, 3, 4}, flow::next, 0, "sub $…,%rsp"},
       {{0xf6, 0x40, 0x08, 0x01}, flow::next, 0, "testb $1,8(%rax)"},
       {{0xf7, 0xd8}, flow::next, 0, "neg %eax"},
       {{0xf7, 0xc1, 1, 2, 3, 4}, flow::next, 0, "test $…,%ecx"},
       {{0x0f, 0xb6, 0xc0}, flow::next, 0, "movzbl %al,%eax"},
       {{0x64, 0x48, 0x8b, 0x04, 0x25, 1, 2, 3, 4}, flow::next, 0, "mov %fs:…,%rax"},
       {{0xf2, 0x0f, 0x59, 0x05, 1, 2, 3, 4}, flow::next, 0, "mulsd (%rip),%xmm0"},
       {{0x66, 0x0f, 0x70, 0xc0, 0x4e}, flow::next, 0, "pshufd $…,%xmm0,%xmm0"},
       {{0x66, 0x0f, 0x3a, 0x0a, 0xc0, 0x0b}, flow::next, 0, "roundss $…,%xmm0,%xmm0"},
       {{0x66, 0x0f, 0x38, 0x00, 0xc1}, flow::next, 0, "pshufb %xmm1,%xmm0"},
       {{0xf0, 0x0f, 0xc1, 0x02}, flow::next, 0, "lock xadd %eax,(%rdx)"},
       {{0xc5, 0xf8, 0x28, 0xc1}, flow::next, 0, "vmovaps %xmm1,%xmm0"},
       {{0xc4, 0xe2, 0x71, 0xb8, 0xc2}, flow::next, 0, "vfmadd231ps %xmm2,%xmm1,%xmm0"},
       {{0xc4, 0xe3, 0x7d, 0x19, 0xc1, 0x01}, flow::next, 0, "vextractf128 $1,%ymm0,%xmm1"},
       {{0x62, 0xf1, 0x7c, 0x48, 0x28, 0xc1}, flow::next, 0, "vmovaps %zmm1,%zmm0"}},
      instruction_set::x86_64);
}

TEST(decoded_instruction, is_refused_if_it_ends_after_the_code) {
  const bytes call{0xe8, 0x05, 0x00, 0x00};
  EXPECT_EQ(read_instruction({call, 0x1000}, 0x1000, instruction_set::x86_64).bytes, 0u);
  EXPECT_EQ(read_instruction({call, 0x1000}, 0x1002, instruction_set::aarch64).bytes, 0u);
  EXPECT_EQ(read_instruction({call, 0x1000}, 0x2000, instruction_set::x86_64).bytes, 0u);
  const bytes unknown{0x06, 0x00};
  EXPECT_EQ(read_instruction({unknown, 0x1000}, 0x1000, instruction_set::x86_64).bytes, 0u);
}

TEST(linker_stub, names_its_slot_on_aarch64) {
  const std::vector<std::uint32_t> stub{0x900000f0,   // adrp x16, +0x1c000
                                        0xf947be11,   // ldr  x17, [x16, #3960]
                                        0x913de210,   // add  x16, x16, #3960
                                        0xd61f0220};  // br   x17
  const bytes plain = words(stub);
  EXPECT_EQ(slot_of_stub({plain, 0x1630}, 0x1630, instruction_set::aarch64), 0x1df78u);
  std::vector<std::uint32_t> guarded{0xd503245f};  // bti c
  guarded.insert(guarded.end(), stub.begin(), stub.end());
  const bytes with_landing_pad = words(guarded);
  EXPECT_EQ(slot_of_stub({with_landing_pad, 0x1630}, 0x1630, instruction_set::aarch64), 0x1df78u);
  EXPECT_FALSE(slot_of_stub({plain, 0x1630}, 0x1634, instruction_set::aarch64).has_value());
  EXPECT_FALSE(slot_of_stub({plain, 0x1630}, 0x2000, instruction_set::aarch64).has_value());
}

TEST(linker_stub, names_its_slot_on_x86_64) {
  const bytes plain{0xff, 0x25, 0xe2, 0x2f, 0x00, 0x00,  // jmp *0x2fe2(%rip)
                    0x68, 0x00, 0x00, 0x00, 0x00};       // push $0
  EXPECT_EQ(slot_of_stub({plain, 0x401030}, 0x401030, instruction_set::x86_64), 0x404018u);
  const bytes with_landing_pad{0xf3, 0x0f, 0x1e, 0xfa,                     // endbr64
                               0xf2, 0xff, 0x25, 0x75, 0x2f, 0x00, 0x00};  // bnd jmp *…(%rip)
  EXPECT_EQ(slot_of_stub({with_landing_pad, 0x401050}, 0x401050, instruction_set::x86_64),
            0x403fd0u);
  const bytes other{0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0xd0, 0xc3, 0x90, 0x90, 0x90};
  EXPECT_FALSE(slot_of_stub({other, 0x401050}, 0x401050, instruction_set::x86_64).has_value());
}

}  // namespace
}  // namespace heddle_report
