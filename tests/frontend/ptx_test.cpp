// Inline PTX: supported instructions become calls, others a stop; host assembly stays.
#include <gtest/gtest.h>

#include "rewriting.hpp"

namespace heddle::frontend {
namespace {

std::string in_device_code(const std::string& statement) {
  return rewritten("__heddle_device__ void f() { " + statement + " }");
}

std::string expected(const std::string& code) {
  return tokens_of("void f() { do { " + code + " } while (false); }");
}

TEST(ptx, special_registers_become_functions_with_their_names) {
  for (const char* name : {"laneid", "warpid", "nwarpid", "smid", "nsmid", "lanemask_eq",
                           "lanemask_lt", "lanemask_le", "lanemask_gt", "lanemask_ge", "clock"})
    EXPECT_EQ(
        in_device_code("asm volatile(\"mov.u32 %0, %%" + std::string(name) + ";\" : \"=r\"(x));"),
        expected("::heddle_host::ptx::put((x), static_cast<unsigned>(::heddle_host::ptx::" +
                 std::string(name) + "()));"));
  EXPECT_EQ(in_device_code("asm(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(t[i]));"),
            expected("::heddle_host::ptx::put((t[i]), static_cast<unsigned long long>("
                     "::heddle_host::ptx::globaltimer()));"));
  EXPECT_EQ(in_device_code("asm(\"mov.u32 %[r], %%tid.x;\" : [r] \"=r\"(x));"),
            expected("::heddle_host::ptx::put((x), static_cast<unsigned>("
                     "::heddle_host::ptx::tid_x()));"));
}

TEST(ptx, barriers_and_fences_become_calls) {
  const auto check = [](const std::string& assembly, const std::string& call) {
    EXPECT_EQ(in_device_code("asm volatile(" + assembly + ");"),
              expected("::heddle_host::ptx::" + call + ";"))
        << assembly;
  };
  check("\"bar.sync 0;\" ::: \"memory\"", "bar_sync(static_cast<unsigned>(0))");
  check("\"barrier.cta.sync.aligned %0, 64;\" :: \"r\"(b)",
        "bar_sync(::heddle_host::ptx::take<unsigned>(b), static_cast<unsigned>(64))");
  for (const char* words : {"bar.arrive", "barrier.arrive", "barrier.cta.arrive.aligned"}) {
    check("\"" + std::string(words) + " %0, 64;\" :: \"r\"(b)",
          "bar_arrive(::heddle_host::ptx::take<unsigned>(b), static_cast<unsigned>(64))");
  }
  check("\"bar.warp.sync 0xff;\"", "bar_warp_sync(static_cast<unsigned>(0xff))");
  check("\"membar.gl;\"", "fence_device()");
  check("\"membar.cta;\"", "fence_block()");
  check("\"fence.acq_rel.sys;\"", "fence_acq_rel_system()");
  check("\"fence.sc.gpu;\"", "fence_device()");
}

TEST(ptx, bulk_copies_become_calls_without_their_cache_hint) {
  const std::string from_and_to =
      "::heddle_host::ptx::address((t), 0), ::heddle_host::ptx::address((f), 0), "
      "::heddle_host::ptx::take<unsigned>(n)";
  const std::string to_shared = expected("::heddle_host::ptx::cp_async_bulk(" + from_and_to +
                                         ", ::heddle_host::ptx::address((b), 0));");
  const std::string copy =
      "asm volatile(\"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";
  EXPECT_EQ(in_device_code(copy + " [%0], [%1], %2, [%3];\" :: \"r\"(t), \"l\"(f), \"r\"(n), "
                                  "\"r\"(b));"),
            to_shared);
  EXPECT_EQ(in_device_code(copy + ".L2::cache_hint [%0], [%1], %2, [%3], %4;\" :: \"r\"(t), "
                                  "\"l\"(f), \"r\"(n), \"r\"(b), \"l\"(p));"),
            to_shared);
  EXPECT_EQ(in_device_code("asm volatile(\"cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], "
                           "%2;\" :: \"l\"(t), \"r\"(f), \"r\"(n));"),
            expected("::heddle_host::ptx::cp_async_bulk(" + from_and_to + ");"));
  EXPECT_EQ(in_device_code("asm(\"createpolicy.fractional.L2::evict_first.b64 %0, 1.0;\" : "
                           "\"=l\"(p));"),
            expected("::heddle_host::ptx::put((p), 0ull);"));
}

TEST(ptx, shuffles_become_calls) {
  EXPECT_EQ(in_device_code("asm volatile(\"shfl.sync.up.b32 %0, %1, 4, %2, -1;\" : \"=r\"(v) : "
                           "\"r\"(v), \"r\"(first));"),
            expected("::heddle_host::ptx::put((v), ::heddle_host::ptx::shfl_up("
                     "::heddle_host::ptx::take<unsigned>(v), static_cast<unsigned>(4), "
                     "::heddle_host::ptx::take<unsigned>(first), static_cast<unsigned>(-1)));"));
}

TEST(ptx, loads_and_stores_that_are_not_weak_keep_their_scope) {
  const auto store = [](const std::string& words) {
    return in_device_code("asm volatile(\"st." + words +
                          ".u32 [%0], %1;\" :: \"l\"(p), \"r\"(v));");
  };
  EXPECT_NE(store("release.cta").find("store_release<unsigned,::heddle_host::memory_scope::block>"),
            std::string::npos);
  EXPECT_NE(
      store("relaxed.sys").find("store_relaxed<unsigned,::heddle_host::memory_scope::system>"),
      std::string::npos);
  EXPECT_NE(
      store("relaxed.cluster").find("store_relaxed<unsigned,::heddle_host::memory_scope::cluster>"),
      std::string::npos);
  EXPECT_NE(store("volatile").find("store_relaxed<unsigned,::heddle_host::memory_scope::system>"),
            std::string::npos);
}

TEST(ptx, loads_and_stores_keep_their_order_type_and_address) {
  EXPECT_EQ(in_device_code("asm volatile(\"ld.acquire.gpu.global.u32 %0, [%1+8];\" : \"=r\"(v) "
                           ": \"l\"(p) : \"memory\");"),
            expected("{ const auto heddle_from = ::heddle_host::ptx::address((p), 8); const auto "
                     "heddle_value_0 = ::heddle_host::ptx::load_acquire<unsigned, "
                     "::heddle_host::memory_scope::device>(heddle_from, 0); "
                     "::heddle_host::ptx::put((v), heddle_value_0); };"));
  EXPECT_EQ(in_device_code("asm(\"st.global.cs.v2.f32 [%0], {%1, %2};\" :: \"l\"(p), \"f\"(a), "
                           "\"f\"(b));"),
            expected("{ const auto heddle_to = ::heddle_host::ptx::address((p), 0); "
                     "::heddle_host::ptx::store_weak<float>(heddle_to, 0, "
                     "::heddle_host::ptx::take<float>(a)); "
                     "::heddle_host::ptx::store_weak<float>(heddle_to, 1, "
                     "::heddle_host::ptx::take<float>(b)); };"));
}

TEST(ptx, several_instructions_and_comments_can_share_a_statement) {
  EXPECT_EQ(in_device_code("asm volatile(\"membar.gl; // first\\n\\t\"\n\"bar.sync 0;\");"),
            expected("::heddle_host::ptx::fence_device(); "
                     "::heddle_host::ptx::bar_sync(static_cast<unsigned>(0));"));
  EXPECT_EQ(in_device_code("asm volatile(\"// nothing\" ::: \"memory\");"),
            expected("__asm__ __volatile__(\"\" : : : \"memory\");"));
}

// What a statement that is not supported becomes: the stop, then its operands.
std::string stop_of(const std::string& what, const std::string& operands = "") {
  return expected("::heddle_host::stop_program(\"" + what + "\", \"user.cu:1\"); " + operands);
}

TEST(ptx, unsupported_instructions_become_a_stop_that_quotes_them) {
  for (const char* instruction :
       {"shfl.sync.bfly.b32 %0|p, %1, 1, 31, -1", "mma.sync.aligned.m16n8k8",
        "mov.u32 %0, %%envreg3", "@p bra done", "ld.param.u32 %0, [%1]",
        "ld.global.v4.u32 %0, [%1]", "bar.arrive 1", "cp.async.ca.shared.global [%0], [%1], 16",
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0]",
        "atom.global.add.u32 %0, [%1], 1"}) {
    EXPECT_EQ(in_device_code("asm volatile(\"" + std::string(instruction) +
                             ";\" : \"=r\"(x) : \"r\"(y + 1));"),
              stop_of("the inline PTX `" + std::string(instruction) + "`",
                      "static_cast<void>(x); static_cast<void>(y + 1);"));
  }
}

TEST(ptx, a_block_in_braces_is_named_by_its_first_instruction) {
  const auto check = [](const std::string& assembly, const std::string& named) {
    EXPECT_EQ(in_device_code("asm(\"" + assembly + "\");"),
              stop_of("the inline PTX `" + named + '`'));
  };
  check("{ .reg .pred p; setp.ne.s32 p, %0, 0; @p trap; }", "setp.ne.s32 p, %0, 0");
  check("{\\n\\t.reg .b32 t;\\n\\tadd.u32 t, t, 1;\\n}", "add.u32 t, t, 1");
  check("{ .reg .u32 t;", ".reg .u32 t");
  check("{", "{");
}

TEST(ptx, a_quoted_instruction_is_one_literal) {
  EXPECT_EQ(in_device_code("asm(\".pragma \\\"nounroll\\\";\\n\");"),
            stop_of("the inline PTX `.pragma \\\"nounroll\\\"`"));
}

TEST(ptx, assembly_that_cannot_be_parsed_becomes_a_stop) {
  EXPECT_EQ(in_device_code("asm goto(\"bra %l0;\" : : : : out); out: ;"),
            tokens_of("void f() { do { ::heddle_host::stop_program(\"this inline assembly\", "
                      "\"user.cu:1\"); } while (false); out: ; }"));
}

TEST(ptx, a_stop_is_recorded_with_its_line) {
  const rewrite_result result =
      rewrite("# 1 \"user.cu\"\n__heddle_device__ void f() {\n asm(\"trap;\"); }");
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_EQ(result.notes[0].location, "user.cu:2");
  EXPECT_EQ(result.notes[0].text.find("the inline PTX `trap` is not supported on the CPU"), 0u);
}

TEST(ptx, host_assembly_stays_as_it_is) {
  EXPECT_EQ(rewritten("void host() { asm volatile(\"nop\"); }"),
            "void host(){asm volatile(\"nop\");}");
}

// CCCL marks all its headers as system headers.
TEST(ptx, device_code_in_system_headers_is_translated) {
  EXPECT_EQ(
      rewritten("# 1 \"header.h\" 1 3\n__heddle_device__ void f() { asm(\"bar.sync 0;\"); }"),
      "inline void f(){do{::heddle_host::ptx::bar_sync(static_cast<unsigned>(0));}while(false);}");
}

}  // namespace
}  // namespace heddle::frontend
