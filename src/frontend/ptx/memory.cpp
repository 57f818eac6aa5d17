// Loads, stores, atomic operations and hints for the caches.
#include <array>

#include "frontend/ptx/rules.hpp"

namespace heddle::frontend::ptx {
namespace {

// The meaning of an instruction such as `ld.volatile.global.v4.f32`.
struct access {
  std::string type;
  std::string strength = "weak";  // weak, relaxed, acquire, release
  std::size_t count = 1;
  std::string scope = "device";

  // "load_acquire<u32, memory_scope::block>"
  [[nodiscard]] std::string function(const std::string& verb) const {
    if (strength == "weak") return of_runtime(verb + "_weak") + "<" + of_runtime(type) + ">";
    const std::string whom = ", ::heddle_host::memory_scope::" + scope + ">";
    if (type == "b128")
      return of_runtime("wide_" + verb) + "<" + of_runtime(type) + ", " +
             of_runtime("order::" + strength) + whom;
    return of_runtime(verb + "_" + strength) + "<" + of_runtime(type) + whom;
  }
};

void take_space(word_list& words) {
  words.take_one_of("global shared shared::cta shared::cluster local const unified");
}

access read_access(const instruction& what) {
  word_list words(what);
  access found;
  words.take_cache_hints();
  take_space(words);
  while (!words.take_one_of("weak ca cs lu wb wt nc").empty()) {
  }
  // .cg and .cv read memory that other blocks may have written.
  if (words.take("volatile") || words.take("cv")) {
    found.strength = "relaxed";
    found.scope = "system";
  } else if (words.take("cg")) {
    found.strength = "relaxed";
  }
  words.take("mmio");
  const std::string order = words.take_one_of("relaxed acquire release");
  if (!order.empty()) {
    found.strength = order;
    found.scope = words.take_scope();
  }
  const std::string vector = words.take_one_of("v2 v4 v8");
  if (!vector.empty()) found.count = static_cast<std::size_t>(vector[1] - '0');
  found.type = words.take_type();
  words.expect_end();
  return found;
}

// The elements of `{%0, %1}`, or `%0` alone.
std::vector<operand> elements(const operand& all, std::size_t count) {
  if (count == 1 && all.kind != operand_kind::list) return {all};
  if (all.kind != operand_kind::list || all.parts.size() != count) throw unsupported{};
  return all.parts;
}

}  // namespace

std::string emit_load(const instruction& what, operand_writer& operands) {
  expect_operands(what, 2, 3);  // the third is a cache policy
  const access how = read_access(what);
  if (how.strength == "release") throw unsupported{};
  const auto targets = elements(what.operands[0], how.count);
  // All loads precede the first assignment: a target may be part of the address.
  std::string code = "{ const auto heddle_from = " + operands.address(what.operands[1]) + "; ";
  for (std::size_t i = 0; i < how.count; ++i)
    code += "const auto heddle_value_" + std::to_string(i) + " = " + how.function("load") +
            "(heddle_from, " + std::to_string(i) + "); ";
  for (std::size_t i = 0; i < how.count; ++i)
    code += operands.write(targets[i], "heddle_value_" + std::to_string(i)) + "; ";
  return code + "}";
}

std::string emit_store(const instruction& what, operand_writer& operands) {
  if (what.words.size() > 1 && (what.words[1] == "async" || what.words[1] == "bulk"))
    return emit_async_store(what, operands);
  expect_operands(what, 2, 3);
  const access how = read_access(what);
  if (how.strength == "acquire") throw unsupported{};
  const auto sources = elements(what.operands[1], how.count);
  std::string code = "{ const auto heddle_to = " + operands.address(what.operands[0]) + "; ";
  for (std::size_t i = 0; i < how.count; ++i)
    code += how.function("store") + "(heddle_to, " + std::to_string(i) + ", " +
            operands.read(sources[i], how.type) + "); ";
  return code + "}";
}

// `atom` returns the old value, `red` does not.
std::string emit_atomic(const instruction& what, operand_writer& operands) {
  if (what.words.size() > 1 && what.words[1] == "async") return emit_async_store(what, operands);
  word_list words(what);
  const bool has_result = what.words[0] == "atom";
  words.take_cache_hints();
  take_space(words);
  words.take("noftz");  // subnormal numbers are never flushed here
  const std::string operation = words.take_one_of("and or xor cas exch add inc dec min max");
  const std::string order = words.take_one_of("relaxed acquire release acq_rel", "relaxed");
  const std::string scope = words.take_scope();
  const std::string vector = words.take_one_of("v2 v4 v8");
  const std::string type = words.take_type();
  words.expect_end();
  if (operation.empty()) throw unsupported{};
  const std::size_t count = vector.empty() ? 1 : static_cast<std::size_t>(vector[1] - '0');
  const std::size_t first = has_result ? 1 : 0;
  const std::size_t values = operation == "cas" ? 2 : 1;
  expect_operands(what, first + 1 + values, first + 2 + values);  // the last is a cache policy
  const std::string function = of_runtime("atom_" + operation) + "<" + of_runtime(type) + ", " +
                               of_runtime("order::" + order) +
                               ", ::heddle_host::memory_scope::" + scope + ">";
  std::string code = "{ const auto heddle_to = " + operands.address(what.operands[first]) + "; ";
  for (std::size_t i = 0; i < count; ++i) {
    std::string arguments = "heddle_to, " + std::to_string(i);
    for (std::size_t k = 0; k < values; ++k)
      arguments += ", " + operands.read(elements(what.operands[first + 1 + k], count)[i], type);
    code +=
        "const auto heddle_old_" + std::to_string(i) + " = " + function + "(" + arguments + "); ";
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::string old = "heddle_old_" + std::to_string(i);
    code += has_result ? operands.write(elements(what.operands[0], count)[i], old) + "; "
                       : "static_cast<void>(" + old + "); ";
  }
  return code + "}";
}

// What only makes a GPU faster: the addresses are evaluated, and a policy is any number.
std::string emit_hint(const instruction& what, operand_writer& operands) {
  if (what.words[0] == "createpolicy") {
    if (what.operands.empty()) throw unsupported{};
    return operands.write(what.operands[0], "0ull");
  }
  if (!what.operands.empty() && what.operands[0].kind == operand_kind::address)
    return "static_cast<void>(" + operands.address(what.operands[0]) + ")";
  return "static_cast<void>(0)";
}

}  // namespace heddle::frontend::ptx
