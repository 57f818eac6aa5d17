// mov with its packed forms, setp with its second result, and conversions of addresses.
#include "frontend/ptx/rules.hpp"

namespace heddle::frontend::ptx {
namespace {

// "b16" for two halves of a 32-bit register.
std::string type_of_part(std::string_view type, std::size_t count) {
  if (count != 2 && count != 4) throw unsupported{};
  const std::string part = "b" + std::to_string(bits_of(type) / static_cast<int>(count));
  if (!is_type(part)) throw unsupported{};
  return part;
}

}  // namespace

std::string emit_move(const instruction& what, operand_writer& operands) {
  word_list words(what);
  const std::string type = words.take_type();
  words.expect_end();
  expect_operands(what, 2, 2);
  const operand &to = what.operands[0], &from = what.operands[1];
  if (to.kind == operand_kind::list) {
    const std::string part = type_of_part(type, to.parts.size());
    std::string code = "{ const auto heddle_whole = " + operands.read(from, type) + "; ";
    for (std::size_t i = 0; i < to.parts.size(); ++i)
      code += operands.write(to.parts[i], of_runtime("part") + "<" + of_runtime(part) +
                                              ">(heddle_whole, " + std::to_string(i) + ")") +
              "; ";
    return code + "}";
  }
  if (from.kind == operand_kind::list) {
    const std::string part = type_of_part(type, from.parts.size());
    std::string parts;
    for (const operand& one : from.parts)
      parts += (parts.empty() ? "" : ", ") + operands.read(one, part);
    return operands.write(to, of_runtime("joined") + "<" + of_runtime(type) + ">(" + parts + ")");
  }
  return operands.write(to, operands.read(from, type));
}

// `setp.lt.and.s32 p|q, a, b, c`: p is (a < b) & c, and q is !(a < b) & c.
std::string emit_compare(const instruction& what, operand_writer& operands) {
  word_list words(what);
  const std::string comparison =
      words.take_one_of("eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan");
  const std::string combination = words.take_one_of("and or xor");
  const bool flushes = words.take("ftz");
  const std::string type = words.take_type();
  words.expect_end();
  // The two halves of a packed type would be compared one by one.
  if (comparison.empty() || type.find("x2") != std::string::npos) throw unsupported{};
  const std::size_t count = combination.empty() ? 3 : 4;
  expect_operands(what, count, count);
  const std::string how = of_modifier(comparison) + (flushes ? " | " + of_modifier("ftz") : "");
  const auto combined = [&](const std::string& holds) {
    if (combination.empty()) return holds;
    const std::string sign = combination == "and" ? "&&" : combination == "or" ? "||" : "!=";
    return "(" + holds + ") " + sign + " (" + operands.read(what.operands[3], "pred") + ")";
  };
  std::string code = "{ const bool heddle_holds = " + of_runtime("compare") + "<" +
                     of_runtime(type) + ", " + how + ">(" + operands.read(what.operands[1], type) +
                     ", " + operands.read(what.operands[2], type) + "); ";
  const operand& to = what.operands[0];
  if (to.kind != operand_kind::pair)
    return code + operands.write(to, combined("heddle_holds")) + "; }";
  // Both are computed first: the third operand may be one of the results.
  return code + "const bool heddle_first = " + combined("heddle_holds") +
         "; const bool heddle_second = " + combined("!heddle_holds") + "; " +
         operands.write(to.parts[0], "heddle_first") + "; " +
         operands.write(to.parts[1], "heddle_second") + "; }";
}

// No memory is private to a lane here, and none is constant, so a query for these is false. Which
// addresses are shared is not known.
std::string emit_address_query(const instruction& what, operand_writer& operands) {
  word_list words(what);
  const std::string space = words.take_one_of("local const param");
  words.expect_end();
  expect_operands(what, 2, 2);
  if (space.empty()) throw unsupported{};
  return "static_cast<void>(" + operands.read(what.operands[1], "u64") + "); " +
         operands.write(what.operands[0], "false");
}

// Only shared memory has addresses of its own; all others are generic.
std::string emit_address_conversion(const instruction& what, operand_writer& operands) {
  word_list words(what);
  const bool is_to = words.take("to");
  const std::string space =
      words.take_one_of("shared shared::cta shared::cluster global local const param::entry param");
  if (space.empty()) throw unsupported{};
  const std::string type = words.take_type();
  words.expect_end();
  expect_operands(what, 2, 2);
  const bool is_shared = space.rfind("shared", 0) == 0;
  const std::string value = operands.read(what.operands[1], type);
  if (!is_shared) return operands.write(what.operands[0], value);
  return operands.write(what.operands[0], of_runtime(is_to ? "cvta_to_shared" : "cvta_shared") +
                                              "<" + of_runtime(type) + ">(" + value + ")");
}

}  // namespace heddle::frontend::ptx
