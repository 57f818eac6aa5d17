// Barriers, fences and mbarrier objects.
#include "frontend/ptx/rules.hpp"

namespace heddle::frontend::ptx {
namespace {

std::string call(std::string_view function, const std::string& arguments) {
  return of_runtime(function) + "(" + arguments + ")";
}

std::string emit_cluster_barrier(word_list& words, const instruction& what) {
  const bool arrives = words.take("arrive");
  if (!arrives && !words.take("wait")) throw unsupported{};
  words.take_one_of("release relaxed acquire");
  words.take("aligned");
  words.expect_end();
  expect_operands(what, 0, 0);
  return call(arrives ? "cluster_arrive" : "cluster_wait", "");
}

// `bar.red.and.pred p, 0, q`. Only the barrier of the whole block counts predicates.
std::string emit_reducing_barrier(word_list& words, const instruction& what,
                                  operand_writer& operands) {
  const std::string operation = words.take_one_of("popc and or");
  const std::string type = words.take_type();
  words.expect_end();
  expect_operands(what, 3, 3);
  const bool is_block =
      what.operands[1].kind == operand_kind::integer && what.operands[1].text == "0";
  if (operation.empty() || !is_block) throw unsupported{};
  return operands.write(what.operands[0],
                        call("bar_red_" + operation, operands.read(what.operands[2], "pred")));
}

}  // namespace

std::string emit_barrier(const instruction& what, operand_writer& operands) {
  word_list words(what);
  if (words.take("cluster")) return emit_cluster_barrier(words, what);
  words.take("cta");
  words.take("aligned");
  if (words.take("red")) return emit_reducing_barrier(words, what, operands);
  const bool is_warp = words.take("warp");
  const bool arrives = words.take("arrive");
  if (!arrives && !words.take("sync")) throw unsupported{};
  words.expect_end();
  // The number of threads may be missing, but not for an arrival.
  expect_operands(what, arrives ? 2 : 1, is_warp ? 1 : 2);
  std::string values;
  for (const operand& one : what.operands)
    values += (values.empty() ? "" : ", ") + operands.read(one, "u32");
  return call(is_warp ? "bar_warp_sync" : arrives ? "bar_arrive" : "bar_sync", values);
}

// Bulk copies are made by the lanes themselves, so a fence between proxies is an ordinary one.
std::string emit_fence(const instruction& what, operand_writer&) {
  word_list words(what);
  expect_operands(what, 0, 0);
  const bool is_sequential = what.words[0] == "membar" || words.take("sc");
  words.take_one_of("acq_rel acquire release");
  if (words.take("proxy") && words.take_one_of("alias async async::generic generic::async").empty())
    throw unsupported{};
  words.take("mbarrier_init");
  words.take_one_of("global shared shared::cta shared::cluster");
  words.take_one_of("sync_restrict::shared::cta sync_restrict::shared::cluster");
  words.take("gl");
  const std::string scope = words.take_scope();
  words.expect_end();
  if (!is_sequential) return call("fence_acq_rel", "::heddle_host::memory_scope::" + scope);
  return call("fence_" + (scope == "cluster" ? "device" : scope), "");
}

std::string emit_mbarrier(const instruction& what, operand_writer& operands) {
  word_list words(what);
  const std::string verb =
      words.take_one_of("arrive arrive_drop test_wait try_wait expect_tx complete_tx");
  const bool expects_bytes = verb.rfind("arrive", 0) == 0 && words.take("expect_tx");
  const bool by_parity = words.take("parity");
  words.take("noComplete");
  words.take_one_of("acquire release relaxed");
  words.take_scope();
  words.take_one_of("shared shared::cta shared::cluster");
  const bool is_word = words.take("b64");
  words.expect_end();
  if (!is_word) throw unsupported{};
  const auto value = [&](std::size_t index, std::string_view type) {
    return operands.read(what.operands[index], type);
  };
  if (verb == "expect_tx" || verb == "complete_tx") {
    expect_operands(what, 2, 2);
    return call("mbarrier_" + verb, operands.address(what.operands[0]) + ", " + value(1, "u32"));
  }
  if (verb == "test_wait" || verb == "try_wait") {
    expect_operands(what, 3, 4);  // the last is a time limit
    return operands.write(
        what.operands[0],
        call(by_parity ? "mbarrier_test_parity" : "mbarrier_test",
             operands.address(what.operands[1]) + ", " + value(2, by_parity ? "u32" : "b64")));
  }
  if (verb.empty()) throw unsupported{};
  // The state is missing in `mbarrier.arrive.b64 [a]`, a form without a result.
  const bool has_state = !what.operands.empty() && what.operands[0].kind != operand_kind::address;
  const std::size_t first = has_state ? 1 : 0;
  expect_operands(what, first + (expects_bytes ? 2 : 1), first + 2);
  const bool has_number = what.operands.size() == first + 2;
  const std::string number = has_number ? value(first + 1, "u32") : "1";
  const std::string arrived =
      call("mbarrier_" + verb, operands.address(what.operands[first]) + ", " +
                                   (expects_bytes ? "1, " + number : number + ", 0"));
  return has_state ? operands.write(what.operands[0], arrived)
                   : "static_cast<void>(" + arrived + ")";
}

}  // namespace heddle::frontend::ptx
