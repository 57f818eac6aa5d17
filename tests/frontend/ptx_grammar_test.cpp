// The grammar of PTX: what the parser makes of each form of a statement and an operand.
#include <gtest/gtest.h>
#include <frontend/ptx/program.hpp>

namespace heddle::frontend::ptx {
namespace {

// The only instruction of a text.
instruction only(const std::string& text) {
  const program all = parse(text);
  EXPECT_EQ(all.refused, "") << text;
  EXPECT_EQ(all.lines.size(), 1u) << text;
  return all.lines.empty() ? instruction{} : all.lines[0].what;
}

operand last_operand(const std::string& text) {
  const instruction what = only(text);
  return what.operands.empty() ? operand{} : what.operands.back();
}

TEST(ptx_grammar, an_opcode_is_split_at_its_dots) {
  EXPECT_EQ(only("ld.global.L1::no_allocate.v4.f32 %0, [%1];").words,
            (std::vector<std::string>{"ld", "global", "L1::no_allocate", "v4", "f32"}));
  EXPECT_EQ(only("prmt .b32 %0, %1, %2, %3;").words, (std::vector<std::string>{"prmt", "b32"}));
  EXPECT_EQ(only("membar.gl").words, (std::vector<std::string>{"membar", "gl"}));
}

TEST(ptx_grammar, operands_have_the_kind_of_their_form) {
  EXPECT_EQ(last_operand("f %12;").kind, operand_kind::parameter);
  EXPECT_EQ(last_operand("f %12;").text, "12");
  EXPECT_EQ(last_operand("f %[some_name];").text, "some_name");
  EXPECT_EQ(last_operand("f %%ctaid.x;").kind, operand_kind::special_register);
  EXPECT_EQ(last_operand("f %ctaid.x;").text, "ctaid.x");
  EXPECT_EQ(last_operand("f _;").kind, operand_kind::sink);
  EXPECT_EQ(last_operand("f WARP_SZ;").kind, operand_kind::name);
}

TEST(ptx_grammar, numbers_keep_their_value) {
  const auto expect_number = [](const std::string& written, operand_kind kind,
                                const std::string& text) {
    const operand number = last_operand("f " + written + ";");
    EXPECT_EQ(number.kind, kind) << written;
    EXPECT_EQ(number.text, text) << written;
  };
  expect_number("7", operand_kind::integer, "7");
  expect_number("-1", operand_kind::integer, "-1");
  expect_number("0xFFU", operand_kind::integer, "0xFF");
  expect_number("0b101", operand_kind::integer, "0b101");
  expect_number("0f3F800000", operand_kind::real, "0f3F800000");
  expect_number("0d3ff0000000000000", operand_kind::real, "0d3ff0000000000000");
  expect_number("1.5", operand_kind::real, "1.5");
  expect_number("-2.5e-3", operand_kind::real, "-2.5e-3");
}

TEST(ptx_grammar, lists_addresses_and_pairs_have_parts) {
  const operand list = last_operand("f {%0, _, 3};");
  EXPECT_EQ(list.kind, operand_kind::list);
  ASSERT_EQ(list.parts.size(), 3u);
  EXPECT_EQ(list.parts[1].kind, operand_kind::sink);
  for (const char* text : {"f [%1+-8];", "f [ %1 + -8 ];", "f [%1-8];"}) {
    const operand address = last_operand(text);
    EXPECT_EQ(address.kind, operand_kind::address) << text;
    ASSERT_EQ(address.parts.size(), 2u) << text;
    EXPECT_EQ(address.parts[1].text, "-8") << text;
  }
  const operand pair = last_operand("f %0|_;");
  EXPECT_EQ(pair.kind, operand_kind::pair);
  ASSERT_EQ(pair.parts.size(), 2u);
  EXPECT_EQ(pair.parts[1].kind, operand_kind::sink);
}

TEST(ptx_grammar, predicates_guard_and_are_negated) {
  const program all = parse("{ .reg .pred %p; @!%p f !%p; }");
  ASSERT_EQ(all.lines.size(), 1u);
  const instruction& what = all.lines[0].what;
  ASSERT_EQ(what.guard.size(), 1u);
  EXPECT_TRUE(what.guard[0].is_negated);
  EXPECT_EQ(what.guard[0].kind, operand_kind::reg);
  EXPECT_TRUE(what.operands[0].is_negated);
}

TEST(ptx_grammar, a_register_belongs_to_its_block) {
  const program all = parse("{ .reg .b32 t; f t; { .reg .f32 t; g t; } h t; } i t;");
  ASSERT_EQ(all.registers.size(), 2u);
  EXPECT_EQ(all.registers[1].type, "f32");
  ASSERT_EQ(all.lines.size(), 4u);
  EXPECT_EQ(all.lines[0].what.operands[0].text, all.registers[0].name);
  EXPECT_EQ(all.lines[1].what.operands[0].text, all.registers[1].name);
  EXPECT_EQ(all.lines[2].what.operands[0].text, all.registers[0].name);
  EXPECT_EQ(all.lines[3].what.operands[0].kind, operand_kind::name);
}

TEST(ptx_grammar, one_declaration_can_make_many_registers) {
  const program all = parse(".reg .u64 a, b<3>; .reg.pred p;");
  ASSERT_EQ(all.registers.size(), 5u);
  EXPECT_EQ(all.registers[4].type, "pred");
  EXPECT_NE(all.registers[1].name, all.registers[3].name);
}

TEST(ptx_grammar, labels_are_lines) {
  const program all = parse("{ LOOP_%=: f; bra LOOP_%=; }");
  ASSERT_EQ(all.lines.size(), 3u);
  EXPECT_EQ(all.lines[0].label, all.lines[2].what.operands[0].text);
}

TEST(ptx_grammar, comments_and_hints_are_skipped) {
  EXPECT_EQ(only(".pragma \"nounroll\"; // f;\n /* g; \n */ h;").words[0], "h");
}

TEST(ptx_grammar, an_instruction_remembers_its_source) {
  EXPECT_EQ(only("\n\t@p  add.u32  %0 , %1, 1 ;").source, "@p  add.u32  %0 , %1, 1");
}

TEST(ptx_grammar, what_cannot_be_parsed_is_named) {
  for (const char* text : {"{ f;", "f; }", "f %0 %1;", "f [%0, %1];", "L: f; L: g;",
                           ".reg .v4 .b32 x;", "f (1);", "@ f;", ".reg .b32 r<99999>;"})
    EXPECT_NE(parse(text).refused, "") << text;
}

}  // namespace
}  // namespace heddle::frontend::ptx
