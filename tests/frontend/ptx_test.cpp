// Inline PTX: supported instructions become calls, others a stop; host assembly stays.
#include <gtest/gtest.h>

#include <vector>

#include "rewriting.hpp"

namespace heddle::frontend {
namespace {

std::string in_device_code(const std::string& statement) {
  return rewritten("__heddle_device__ void f() { " + statement + " }");
}

std::string expected(const std::string& code) {
  return tokens_of("void f() { do { " + code + " } while (false); }");
}

// "u32" becomes "::heddle_host::ptx::u32", and so on for each word after a `#`.
std::string of_runtime(const std::string& code) {
  std::string full;
  for (const char c : code) full += c == '#' ? "::heddle_host::ptx::" : std::string(1, c);
  return full;
}

// The statements that a device function's asm becomes.
void expect_code(const std::string& assembly, const std::string& code) {
  EXPECT_EQ(in_device_code("asm volatile(" + assembly + ");"), expected(of_runtime(code)))
      << assembly;
}

TEST(ptx, an_instruction_becomes_a_call_between_typed_operands) {
  expect_code(R"("mul.hi.s32 %0, %1, -3;" : "=r"(d) : "r"(a + 1))",
              "auto& heddle_0 = (d); const auto heddle_1 = (a + 1); "
              "#put(heddle_0, #mul_hi<#s32>(#take<#s32>(heddle_1), static_cast<#s32>(-3)));");
  expect_code(R"("add.rz.ftz.f32 %[d], %[a], 0f3f800000;" : [d] "=f"(d) : [a] "f"(a))",
              "auto& heddle_0 = (d); const auto heddle_1 = (a); "
              "#put(heddle_0, #add<#f32, #how::rz | #how::ftz>(#take<#f32>(heddle_1), "
              "#take<#f32>(#take<#f32>(static_cast<#b32>(0x3f800000)))));");
}

TEST(ptx, an_operand_is_evaluated_once_even_if_it_is_read_twice_or_never) {
  expect_code(R"("add.u32 %0, %1, %1;" : "=r"(d) : "r"(i++), "r"(unread++))",
              "auto& heddle_0 = (d); const auto heddle_1 = (i++); static_cast<void>(unread++); "
              "#put(heddle_0, #add<#u32, #how::none>(#take<#u32>(heddle_1), "
              "#take<#u32>(heddle_1)));");
}

TEST(ptx, an_input_can_share_the_register_of_an_output) {
  expect_code(R"("add.u32 %0, %0, 1;" : "=r"(d) : "0"(a))",
              "auto& heddle_0 = (d); #put(heddle_0, (a)); "
              "#put(heddle_0, #add<#u32, #how::none>(#take<#u32>(heddle_0), "
              "static_cast<#u32>(1)));");
}

TEST(ptx, special_registers_become_functions_with_their_names) {
  for (const std::string name :
       {"laneid", "warpid", "nwarpid", "smid", "nsmid", "lanemask_eq", "lanemask_lt", "lanemask_le",
        "lanemask_gt", "lanemask_ge", "clock", "cluster_ctarank"})
    for (const char* percent : {"%", "%%"})
      expect_code("\"mov.u32 %0, " + (percent + name) + ";\" : \"=r\"(x)",
                  "auto& heddle_0 = (x); #put(heddle_0, static_cast<#u32>(#" + name + "()));");
  expect_code(R"("mov.u32 %[r], %%tid.x;" : [r] "=r"(x))",
              "auto& heddle_0 = (x); #put(heddle_0, static_cast<#u32>(#tid_x()));");
}

TEST(ptx, declared_registers_become_variables_and_guards_become_conditions) {
  expect_code(R"("{ .reg .pred p; .reg .b32 t<2>; setp.ne.u32 p, %1, 0; @!p mov.b32 t1, 7; )"
              R"(@p mov.b32 %0, t1; }" : "+r"(d) : "r"(a))",
              "auto& heddle_0 = (d); const auto heddle_1 = (a); "
              "[[maybe_unused]] #pred heddle_r0_p{}; [[maybe_unused]] #b32 heddle_r1_t0{}; "
              "[[maybe_unused]] #b32 heddle_r2_t1{}; "
              "{ const bool heddle_holds = #compare<#u32, #how::ne>(#take<#u32>(heddle_1), "
              "static_cast<#u32>(0)); #put(heddle_r0_p, heddle_holds); }; "
              "if (!heddle_r0_p) { #put(heddle_r2_t1, static_cast<#b32>(7)); } "
              "if (heddle_r0_p) { #put(heddle_0, #take<#b32>(heddle_r2_t1)); }");
}

TEST(ptx, branches_become_jumps_to_labels_that_are_unique) {
  const std::string twice =
      in_device_code(R"(asm("{ AGAIN: bra.uni AGAIN; UNUSED: }"); asm("{ AGAIN: bra AGAIN; }");)");
  std::size_t at = 0;
  std::vector<std::string> labels;
  while ((at = twice.find("goto ", at)) != std::string::npos) {
    at += 5;
    labels.push_back(twice.substr(at, twice.find(';', at) - at));
  }
  ASSERT_EQ(labels.size(), 2u) << twice;
  EXPECT_NE(labels[0], labels[1]);
  for (const std::string& label : labels)
    EXPECT_NE(twice.find(label + ":;"), std::string::npos) << twice;
  EXPECT_EQ(twice.find("UNUSED"), std::string::npos);
}

TEST(ptx, a_carry_stays_in_its_statement) {
  expect_code(R"("add.cc.u32 %0, %0, 1; addc.u32 %1, %1, 0;" : "+r"(a), "+r"(b))",
              "auto& heddle_0 = (a); auto& heddle_1 = (b); bool heddle_carry = false; "
              "bool heddle_copy = false; "
              "#put(heddle_0, #addc<#u32>(#take<#u32>(heddle_0), static_cast<#u32>(1), "
              "heddle_carry = false)); "
              "#put(heddle_1, #addc<#u32>(#take<#u32>(heddle_1), static_cast<#u32>(0), "
              "heddle_copy = heddle_carry));");
  EXPECT_NE(in_device_code(R"(asm("addc.u32 %0, %0, 0;" : "+r"(a));)").find("stop_program"),
            std::string::npos);
}

TEST(ptx, registers_are_packed_and_unpacked) {
  expect_code(R"("mov.b64 %0, {%1, %2};" : "=l"(d) : "r"(a), "r"(b))",
              "auto& heddle_0 = (d); const auto heddle_1 = (a); const auto heddle_2 = (b); "
              "#put(heddle_0, #joined<#b64>(#take<#b32>(heddle_1), #take<#b32>(heddle_2)));");
  expect_code(R"("mov.b64 {_, %0}, %1;" : "=r"(d) : "d"(a))",
              "auto& heddle_0 = (d); const auto heddle_1 = (a); "
              "{ const auto heddle_whole = #take<#b64>(heddle_1); "
              "static_cast<void>(#part<#b32>(heddle_whole, 0)); "
              "#put(heddle_0, #part<#b32>(heddle_whole, 1)); };");
}

TEST(ptx, barriers_and_fences_become_calls) {
  expect_code(R"("bar.sync 0;" ::: "memory")", "#bar_sync(static_cast<#u32>(0));");
  expect_code(R"("barrier.cta.sync.aligned %0, 64;" :: "r"(b))",
              "const auto heddle_0 = (b); "
              "#bar_sync(#take<#u32>(heddle_0), static_cast<#u32>(64));");
  for (const std::string words : {"bar.arrive", "barrier.arrive", "barrier.cta.arrive.aligned"})
    expect_code("\"" + words + " 1, 64;\"",
                "#bar_arrive(static_cast<#u32>(1), static_cast<#u32>(64));");
  expect_code(R"("bar.warp.sync 0xff;")", "#bar_warp_sync(static_cast<#u32>(0xff));");
  expect_code(R"("membar.gl;")", "#fence_device();");
  expect_code(R"("membar.cta;")", "#fence_block();");
  expect_code(R"("fence.acq_rel.sys;")", "#fence_acq_rel(::heddle_host::memory_scope::system);");
  expect_code(R"("fence.sc.gpu;")", "#fence_device();");
  expect_code(R"("barrier.cluster.arrive.release.aligned;")", "#cluster_arrive();");
}

TEST(ptx, bulk_copies_become_calls_without_their_cache_hint) {
  const std::string bound =
      "const auto heddle_0 = (t); const auto heddle_1 = (f); const auto heddle_2 = (n); ";
  const std::string run =
      "#cp_async_bulk(#address(heddle_0, 0), #address(heddle_1, 0), #take<#u32>(heddle_2)";
  const std::string copy = "\"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";
  const std::string operands = "\" :: \"r\"(t), \"l\"(f), \"r\"(n), \"r\"(b)";
  expect_code(copy + " [%0], [%1], %2, [%3];" + operands,
              bound + "const auto heddle_3 = (b); " + run + ", #address(heddle_3, 0));");
  expect_code(copy + ".L2::cache_hint [%0], [%1], %2, [%3], %4;" + operands + ", \"l\"(p)",
              bound + "const auto heddle_3 = (b); static_cast<void>(p); " + run +
                  ", #address(heddle_3, 0));");
  expect_code(R"("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;")"
              R"( :: "l"(t), "r"(f), "r"(n))",
              bound + run + ");");
  expect_code(R"("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(p))",
              "auto& heddle_0 = (p); #put(heddle_0, 0ull);");
}

TEST(ptx, shuffles_give_a_value_and_a_predicate) {
  const std::string call =
      "#shfl_up(#take<#b32>(heddle_0), static_cast<#b32>(4), #take<#b32>(heddle_1), "
      "static_cast<#b32>(-1))";
  const std::string bound = "auto& heddle_0 = (v); const auto heddle_1 = (first); ";
  expect_code(R"("shfl.sync.up.b32 %0, %0, 4, %1, -1;" : "+r"(v) : "r"(first))",
              bound + "#put(heddle_0, " + call + ".value);");
  expect_code(R"("{ .reg .pred p; shfl.sync.up.b32 %0|p, %0, 4, %1, -1; }")"
              R"( : "+r"(v) : "r"(first))",
              bound + "[[maybe_unused]] #pred heddle_r0_p{}; { const auto heddle_got = " + call +
                  "; #put(heddle_0, heddle_got.value); #put(heddle_r0_p, heddle_got.is_true); };");
}

TEST(ptx, loads_and_stores_that_are_not_weak_keep_their_scope) {
  const auto expect_store = [](const std::string& words, const std::string& function) {
    const std::string code =
        in_device_code("asm volatile(\"st." + words + ".u32 [%0], %1;\" :: \"l\"(p), \"r\"(v));");
    EXPECT_NE(code.find(tokens_of(of_runtime(function))), std::string::npos) << code;
  };
  expect_store("release.cta", "#store_release<#u32, ::heddle_host::memory_scope::block>");
  expect_store("relaxed.sys", "#store_relaxed<#u32, ::heddle_host::memory_scope::system>");
  expect_store("relaxed.cluster", "#store_relaxed<#u32, ::heddle_host::memory_scope::cluster>");
  expect_store("volatile", "#store_relaxed<#u32, ::heddle_host::memory_scope::system>");
  expect_store("mmio.relaxed.sys", "#store_relaxed<#u32, ::heddle_host::memory_scope::system>");
  expect_store("wt", "#store_weak<#u32>");
}

TEST(ptx, loads_and_stores_keep_their_order_type_and_address) {
  expect_code(R"("ld.acquire.gpu.global.u32 %0, [%1+8];" : "=r"(v) : "l"(p) : "memory")",
              "auto& heddle_0 = (v); const auto heddle_1 = (p); "
              "{ const auto heddle_from = #address(heddle_1, static_cast<#s64>(8)); "
              "const auto heddle_value_0 = #load_acquire<#u32, "
              "::heddle_host::memory_scope::device>(heddle_from, 0); "
              "#put(heddle_0, heddle_value_0); };");
  expect_code(R"("st.global.cs.v2.f32 [%0], {%1, %2};" :: "l"(p), "f"(a), "f"(b))",
              "const auto heddle_0 = (p); const auto heddle_1 = (a); const auto heddle_2 = (b); "
              "{ const auto heddle_to = #address(heddle_0, 0); "
              "#store_weak<#f32>(heddle_to, 0, #take<#f32>(heddle_1)); "
              "#store_weak<#f32>(heddle_to, 1, #take<#f32>(heddle_2)); };");
}

TEST(ptx, atomic_operations_keep_their_order_and_scope) {
  expect_code(R"("atom.acq_rel.cta.shared.cas.b32 %0, [%1], 1, %2;" : "=r"(d) : "r"(p), "r"(v))",
              "auto& heddle_0 = (d); const auto heddle_1 = (p); const auto heddle_2 = (v); "
              "{ const auto heddle_to = #address(heddle_1, 0); const auto heddle_old_0 = "
              "#atom_cas<#b32, #order::acq_rel, ::heddle_host::memory_scope::block>(heddle_to, 0, "
              "static_cast<#b32>(1), #take<#b32>(heddle_2)); #put(heddle_0, heddle_old_0); };");
  expect_code(R"("red.global.add.f32 [%0], %1;" :: "l"(p), "f"(v))",
              "const auto heddle_0 = (p); const auto heddle_1 = (v); "
              "{ const auto heddle_to = #address(heddle_0, 0); const auto heddle_old_0 = "
              "#atom_add<#f32, #order::relaxed, ::heddle_host::memory_scope::device>(heddle_to, "
              "0, #take<#f32>(heddle_1)); static_cast<void>(heddle_old_0); };");
}

TEST(ptx, several_instructions_and_comments_can_share_a_statement) {
  expect_code("\"membar.gl; // first\\n\\t\"\n\"/* then */ bar.sync 0;\"",
              "#fence_device(); #bar_sync(static_cast<#u32>(0));");
  expect_code("\"// nothing\" ::: \"memory\"", "__asm__ __volatile__(\"\" : : : \"memory\");");
  expect_code("R\"(bar.warp.sync -1;)\"", "#bar_warp_sync(static_cast<#u32>(-1));");
}

// What a statement that is not supported becomes: the stop, then its operands.
std::string stop_of(const std::string& what, const std::string& operands = "") {
  return expected("::heddle_host::stop_program(\"" + what + "\", \"user.cu:1\"); " + operands);
}

TEST(ptx, unsupported_instructions_become_a_stop_that_quotes_them) {
  for (const char* instruction :
       {"shfl.bfly.b32 %0, %1, 1, 31", "mma.sync.aligned.m16n8k8",
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1]", "mov.u32 %0, %%envreg3", "bra done",
        "ld.param.u32 %0, [%1]", "ld.global.v4.u32 %0, [%1]", "bar.arrive 1",
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0]",
        "add.u32 %0, %1", "add.u32 %0, t, 1", "add.u32 %0, %7, 1", "add.f32 %0, %1, 1",
        "add.pred %0, %1, 1", "setp.u32 p, %0, %1", "isspacep.shared p, %1", "mov.b32 {%0}, %1",
        "st.acquire.gpu.u32 [%0], %1", "tcgen05.wait::ld.sync.aligned"}) {
    EXPECT_EQ(in_device_code("asm volatile(\"" + std::string(instruction) +
                             ";\" : \"=r\"(x) : \"r\"(y + 1));"),
              stop_of("the inline PTX `" + std::string(instruction) + "`",
                      "static_cast<void>(x); static_cast<void>(y + 1);"));
  }
}

TEST(ptx, a_block_in_braces_is_named_by_its_first_unsupported_instruction) {
  const auto check = [](const std::string& assembly, const std::string& named) {
    EXPECT_EQ(in_device_code("asm(\"" + assembly + "\");"),
              stop_of("the inline PTX `" + named + '`'));
  };
  check("{ .reg .pred p; mma.x p, %0, 0; @p trap; }", "mma.x p, %0, 0");
  check("{\\n\\t.reg .b32 t;\\n\\tmma.x t, t, 1;\\n}", "mma.x t, t, 1");
  check("{ .reg .u32 t;", ".reg .u32 t");
  check("{", "{");
  check(".shared .b32 t;", ".shared .b32 t");
  check("{ .reg .b7 t; mov.b7 t, t; }", ".reg .b7");
}

TEST(ptx, a_quoted_instruction_is_one_literal) {
  EXPECT_EQ(in_device_code("asm(\".file \\\"a.cu\\\";\\n\");"),
            stop_of("the inline PTX `.file \\\"a.cu\\\"`"));
}

TEST(ptx, assembly_that_cannot_be_parsed_becomes_a_stop) {
  EXPECT_EQ(in_device_code("asm goto(\"bra %l0;\" : : : : out); out: ;"),
            tokens_of("void f() { do { ::heddle_host::stop_program(\"this inline assembly\", "
                      "\"user.cu:1\"); } while (false); out: ; }"));
}

TEST(ptx, a_stop_is_recorded_with_its_line) {
  const rewrite_result result =
      rewrite("# 1 \"user.cu\"\n__heddle_device__ void f() {\n asm(\"mma.sync;\"); }");
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_EQ(result.notes[0].location, "user.cu:2");
  EXPECT_EQ(result.notes[0].text.find("the inline PTX `mma.sync` is not supported on the CPU"), 0u);
}

TEST(ptx, host_assembly_stays_as_it_is_in_any_header) {
  EXPECT_EQ(rewritten("void host() { asm volatile(\"nop\"); }"),
            "void host(){asm volatile(\"nop\");}");
  EXPECT_EQ(rewritten("# 1 \"header.h\" 1 3\nvoid host() { asm volatile(\"nop\"); }"),
            "void host(){asm volatile(\"nop\");}");
}

// CCCL marks all its headers as system headers.
TEST(ptx, device_code_in_system_headers_is_translated) {
  EXPECT_EQ(rewritten("# 1 \"header.h\" 1 3\n__heddle_device__ void f() { asm(\"trap;\"); }"),
            "inline void f(){do{::heddle_host::ptx::trap();}while(false);}");
}

}  // namespace
}  // namespace heddle::frontend
