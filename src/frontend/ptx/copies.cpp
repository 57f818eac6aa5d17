// Asynchronous copies, stores and reductions.
#include <algorithm>

#include "frontend/ptx/rules.hpp"

namespace heddle::frontend::ptx {
namespace {

constexpr std::string_view to_barrier = "mbarrier::complete_tx::bytes";

std::string call(std::string_view function, const std::string& arguments) {
  return of_runtime(function) + "(" + arguments + ")";
}

// `cp.async.ca.shared.global [to], [from], 16`; then the bytes to read, the rest being zeros, or a
// predicate that makes all of them zeros.
std::string emit_small_copy(word_list& words, const instruction& what, operand_writer& operands) {
  const bool has_policy = words.take("L2::cache_hint");
  words.take_cache_hints();
  words.take_one_of("ca cg");
  words.take_one_of("shared shared::cta");
  const bool is_from_global = words.take("global");
  words.expect_end();
  const std::size_t count = what.operands.size() - (has_policy && !what.operands.empty() ? 1 : 0);
  if (!is_from_global || count < 3 || count > 4) throw unsupported{};
  const std::string size = operands.read(what.operands[2], "u32");
  std::string read_bytes = size;
  if (count == 4) {
    const operand& fourth = what.operands[3];
    read_bytes = fourth.type == "pred" ? operands.read(fourth, "pred") + " ? 0u : " + size
                                       : operands.read(fourth, "u32");
  }
  return call("cp_async", operands.address(what.operands[0]) + ", " +
                              operands.address(what.operands[1]) + ", " + size + ", " + read_bytes);
}

std::string emit_bulk_copy(word_list& words, const instruction& what, operand_writer& operands) {
  if (words.take("prefetch")) {
    if (what.operands.empty()) throw unsupported{};
    return "static_cast<void>(" + operands.address(what.operands[0]) + ")";
  }
  const bool has_policy = words.take("L2::cache_hint");
  const bool has_barrier = words.take(to_barrier);
  const bool is_group = words.take("bulk_group");
  // To another block's shared memory, or to global memory.
  const bool to_shared = words.take("shared::cluster");
  const bool is_known = has_barrier ? words.take_one_of("global shared::cta") != "" &&
                                          (to_shared || words.take("shared::cta"))
                                    : is_group && words.take("global") && words.take("shared::cta");
  words.expect_end();
  if (!is_known) throw unsupported{};
  const std::size_t count = (has_barrier ? 4 : 3) + (has_policy ? 1 : 0);
  expect_operands(what, count, count);
  return call("cp_async_bulk", operands.address(what.operands[0]) + ", " +
                                   operands.address(what.operands[1]) + ", " +
                                   operands.read(what.operands[2], "u32") +
                                   (has_barrier ? ", " + operands.address(what.operands[3]) : ""));
}

// The last template arguments of an atomic operation that an asynchronous instruction makes.
std::string reduction(word_list& words, std::string_view scope, std::string& type) {
  words.take("noftz");
  const std::string operation = words.take_one_of("and or xor add inc dec min max");
  type = words.take_type();
  if (operation.empty()) throw unsupported{};
  return of_runtime("atom_" + operation) + "<" + of_runtime(type) + ", " +
         of_runtime("order::relaxed") + ", ::heddle_host::memory_scope::" + std::string(scope) +
         ">";
}

// cp.reduce.async.bulk: combines a run of bytes with another, element by element.
std::string emit_bulk_reduction(word_list& words, const instruction& what,
                                operand_writer& operands) {
  const bool has_policy = words.take("L2::cache_hint");
  const bool has_barrier = words.take(to_barrier);
  const bool is_known =
      has_barrier ? words.take("shared::cluster") && words.take("shared::cta")
                  : words.take("bulk_group") && words.take("global") && words.take("shared::cta");
  std::string type;
  const std::string function = reduction(words, has_barrier ? "cluster" : "device", type);
  words.expect_end();
  if (!is_known) throw unsupported{};
  const std::size_t count = (has_barrier ? 4 : 3) + (has_policy ? 1 : 0);
  expect_operands(what, count, count);
  return of_runtime("cp_reduce_async_bulk") + "<" + of_runtime(type) + ">(" +
         operands.address(what.operands[0]) + ", " + operands.address(what.operands[1]) + ", " +
         operands.read(what.operands[2], "u32") + ", " + function +
         (has_barrier ? ", " + operands.address(what.operands[3]) : "") + ")";
}

}  // namespace

std::string emit_async_copy(const instruction& what, operand_writer& operands) {
  word_list words(what);
  const bool reduces = words.take("reduce");
  if (!words.take("async")) throw unsupported{};
  const bool is_bulk = words.take("bulk");
  const std::string queue = is_bulk ? "cp_async_bulk_" : "cp_async_";
  if (reduces && is_bulk) return emit_bulk_reduction(words, what, operands);
  if (words.take("commit_group")) {
    words.expect_end();
    return call(queue + "commit_group", "");
  }
  if (words.take("wait_all")) {
    words.expect_end();
    return call("cp_async_wait_all", "");
  }
  if (words.take("wait_group")) {
    const bool is_read = words.take("read");
    words.expect_end();
    expect_operands(what, 1, 1);
    return call(queue + "wait_group" + (is_read ? "_read" : ""),
                operands.read(what.operands[0], "u32"));
  }
  if (words.take("mbarrier")) {
    const bool is_arrival = words.take("arrive");
    const bool keeps_count = words.take("noinc");
    words.take_one_of("shared shared::cta");
    words.take("b64");
    words.expect_end();
    expect_operands(what, 1, 1);
    if (!is_arrival) throw unsupported{};
    return call(keeps_count ? "cp_async_arrive_noinc" : "cp_async_arrive",
                operands.address(what.operands[0]));
  }
  return is_bulk ? emit_bulk_copy(words, what, operands) : emit_small_copy(words, what, operands);
}

// st.async and red.async, which count bytes at a barrier, and st.bulk, which writes zeros.
std::string emit_async_store(const instruction& what, operand_writer& operands) {
  word_list words(what);
  words.take_one_of("weak relaxed");
  words.take_scope();
  words.take_one_of("shared::cta shared::cluster");
  if (words.take("bulk")) {
    words.expect_end();
    expect_operands(what, 3, 3);
    return call("st_bulk",
                operands.address(what.operands[0]) + ", " + operands.read(what.operands[1], "u64"));
  }
  if (!words.take("async") || !words.take(to_barrier)) throw unsupported{};
  expect_operands(what, 3, 3);
  const std::string vector = words.take_one_of("v2 v4");
  std::string type, function;
  if (what.words[0] == "red") {
    function = reduction(words, "cluster", type);
  } else {
    type = words.take_type();
    function = of_runtime("store_weak") + "<" + of_runtime(type) + ">";
  }
  words.expect_end();
  const operand& value = what.operands[1];
  const std::size_t count = vector.empty() ? 1 : static_cast<std::size_t>(vector[1] - '0');
  if (count > 1 && (value.kind != operand_kind::list || value.parts.size() != count))
    throw unsupported{};
  std::string code = "{ const auto heddle_to = " + operands.address(what.operands[0]) + "; ";
  for (std::size_t i = 0; i < count; ++i)
    code += function + "(heddle_to, " + std::to_string(i) + ", " +
            operands.read(count > 1 ? value.parts[i] : value, type) + "); ";
  return code +
         call("mbarrier_complete_tx",
              operands.address(what.operands[2]) + ", " +
                  std::to_string(count * static_cast<std::size_t>(bits_of(type) / 8))) +
         "; }";
}

}  // namespace heddle::frontend::ptx
