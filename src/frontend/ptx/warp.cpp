// Operations of a warp with two results, such as `d|p`.
#include "frontend/ptx/rules.hpp"

namespace heddle::frontend::ptx {
namespace {

// `d|p`, or `d` alone: writes `got.value` and `got.is_true`.
std::string write_both(const operand& to, const std::string& call, operand_writer& operands) {
  if (to.kind != operand_kind::pair) return operands.write(to, call + ".value");
  return "{ const auto heddle_got = " + call + "; " +
         operands.write(to.parts[0], "heddle_got.value") + "; " +
         operands.write(to.parts[1], "heddle_got.is_true") + "; }";
}

}  // namespace

std::string emit_shuffle(const instruction& what, operand_writer& operands) {
  word_list words(what);
  const std::string mode = words.take_one_of("up down bfly idx");
  const bool is_supported = words.take("sync") && words.take("b32") && !mode.empty();
  words.expect_end();
  expect_operands(what, 5, 5);
  if (!is_supported) throw unsupported{};
  std::string values;
  for (std::size_t i = 1; i < 5; ++i)
    values += (i > 1 ? ", " : "") + operands.read(what.operands[i], "b32");
  return write_both(what.operands[0], of_runtime("shfl_" + mode) + "(" + values + ")", operands);
}

// The table of rules has match.any.
std::string emit_match(const instruction& what, operand_writer& operands) {
  word_list words(what);
  const bool is_supported = words.take("all") && words.take("sync");
  const std::string type = words.take_type();
  words.expect_end();
  expect_operands(what, 3, 3);
  if (!is_supported) throw unsupported{};
  return write_both(what.operands[0],
                    of_runtime("match_all_sync") + "<" + of_runtime(type) + ">(" +
                        operands.read(what.operands[1], type) + ", " +
                        operands.read(what.operands[2], "u32") + ")",
                    operands);
}

std::string emit_elect(const instruction& what, operand_writer& operands) {
  word_list words(what);
  const bool is_supported = words.take("sync");
  words.expect_end();
  expect_operands(what, 2, 2);
  if (!is_supported) throw unsupported{};
  return write_both(what.operands[0],
                    of_runtime("elect") + "(" + operands.read(what.operands[1], "u32") + ")",
                    operands);
}

}  // namespace heddle::frontend::ptx
