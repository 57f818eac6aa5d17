// The fidelity report: the table of operations, sums of products in machine code, text and JSON.
#include <gtest/gtest.h>
#include <report/fidelity/fidelity_report.hpp>
#include <report/fidelity/float_arithmetic.hpp>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>

namespace heddle_report {
namespace {

using nlohmann::json;

TEST(operation_facts, are_found_by_whole_names) {
  ASSERT_NE(fact_of_function("__sinf"), nullptr);
  EXPECT_EQ(fact_of_function("tanf")->how, "4 ulp");
  EXPECT_EQ(fact_of_function("sqrtf"), nullptr);
  EXPECT_EQ(fact_of_function("sin cos"), nullptr);
  EXPECT_EQ(fact_of_function("approx"), nullptr) << "a word of PTX is no function";
}

TEST(operation_facts, of_ptx_are_found_by_the_words_of_an_instruction) {
  EXPECT_EQ(fact_of_ptx("ex2.approx.ftz.f32")->how, "2 ulp");
  EXPECT_EQ(fact_of_ptx("ex2.approx.f16x2")->how, "2^-9.9, relative");
  EXPECT_EQ(fact_of_ptx("div.full.f32")->how, "2 ulp");
  ASSERT_NE(fact_of_ptx("cp.async.cg.shared.global"), nullptr);
  EXPECT_EQ(fact_of_ptx("sqrt.rn.f32"), nullptr);
  EXPECT_EQ(fact_of_ptx("cvt.rn.f32.f64"), nullptr);
}

TEST(operation_facts, name_each_function_once) {
  std::set<std::string> names;
  for (const operation_fact& one : operation_facts()) {
    if (one.is_ptx) continue;
    std::istringstream words{std::string(one.names)};
    for (std::string name; words >> name;) {
      EXPECT_TRUE(names.insert(name).second) << name << " is there twice";
    }
  }
}

TEST(operation_facts, are_those_of_the_documentation) {
  std::ifstream page(HEDDLE_DOCS "/fidelity.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  EXPECT_NE(text.find(table_of_operations()), text.npos)
      << "docs/fidelity.md must contain this table:\n"
      << table_of_operations();
}

std::vector<product_and_sum> found_in(const std::vector<unsigned char>& bytes,
                                      instruction_set set) {
  return sums_of_products({bytes, 0x1000}, 0x1000, 0x1000 + bytes.size(), set);
}

TEST(sums_of_products, are_found_on_x86_64) {
  // mulss %xmm1,%xmm0; addss %xmm2,%xmm0
  const auto found =
      found_in({0xf3, 0x0f, 0x59, 0xc1, 0xf3, 0x0f, 0x58, 0xc2}, instruction_set::x86_64);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].product, 0x1000u);
  EXPECT_EQ(found[0].sum, 0x1004u);
  // mulsd %xmm9,%xmm8; vaddsd %xmm8,%xmm1,%xmm1
  EXPECT_EQ(found_in({0xf2, 0x45, 0x0f, 0x59, 0xc1, 0xc4, 0xc1, 0x73, 0x58, 0xc8},
                     instruction_set::x86_64)
                .size(),
            1u);
}

TEST(sums_of_products, are_found_across_calls_if_the_product_is_kept_in_the_frame) {
  // mulss %xmm1,%xmm0; movss %xmm0,12(%rsp); call; addss 12(%rsp),%xmm0
  EXPECT_EQ(found_in({0xf3, 0x0f, 0x59, 0xc1, 0xf3, 0x0f, 0x11, 0x44, 0x24, 0x0c, 0xe8,
                      0,    0,    0,    0,    0xf3, 0x0f, 0x58, 0x44, 0x24, 0x0c},
                     instruction_set::x86_64)
                .size(),
            1u);
  // mulss %xmm1,%xmm0; call; addss %xmm0,%xmm2: the result of the call
  EXPECT_TRUE(found_in({0xf3, 0x0f, 0x59, 0xc1, 0xe8, 0, 0, 0, 0, 0xf3, 0x0f, 0x58, 0xd0},
                       instruction_set::x86_64)
                  .empty());
}

TEST(sums_of_products, are_not_products_of_sums_or_overwritten_products) {
  // addss %xmm1,%xmm0; mulss %xmm2,%xmm0
  EXPECT_TRUE(
      found_in({0xf3, 0x0f, 0x58, 0xc1, 0xf3, 0x0f, 0x59, 0xc2}, instruction_set::x86_64).empty());
  // mulss %xmm1,%xmm0; movss (%rdi),%xmm0; addss %xmm0,%xmm2
  EXPECT_TRUE(found_in({0xf3, 0x0f, 0x59, 0xc1, 0xf3, 0x0f, 0x10, 0x07, 0xf3, 0x0f, 0x58, 0xd0},
                       instruction_set::x86_64)
                  .empty());
}

TEST(sums_of_products, are_found_on_aarch64) {
  // fmul s0, s1, s2; fadd s3, s0, s4
  EXPECT_EQ(
      found_in({0x20, 0x08, 0x22, 0x1e, 0x03, 0x28, 0x24, 0x1e}, instruction_set::aarch64).size(),
      1u);
  // fmul v0.4s, v1.4s, v2.4s; fsub v3.4s, v4.4s, v0.4s
  EXPECT_EQ(
      found_in({0x20, 0xdc, 0x22, 0x6e, 0x83, 0xd4, 0xa0, 0x4e}, instruction_set::aarch64).size(),
      1u);
  // fadd s0, s1, s2; fmul s3, s0, s4
  EXPECT_TRUE(
      found_in({0x20, 0x28, 0x22, 0x1e, 0x03, 0x08, 0x24, 0x1e}, instruction_set::aarch64).empty());
}

fidelity_report example() {
  fidelity_report report;
  report.is_known = true;
  report.kernels = {"wave"};
  report.operations.push_back(
      {"__sinf", fact_of_function("__sinf"), false, false, {{"/nowhere/a.cu", 3}}, {"wave"}});
  report.operations.push_back({"__popc", nullptr, false, false, {{"/nowhere/a.cu", 4}}, {"wave"}});
  return report;
}

TEST(fidelity_report, begins_with_a_verdict_and_lists_what_is_not_exact) {
  EXPECT_EQ(text_of(example()),
            "heddle: 1 kernel ran; every operation has a GPU's exact semantics, except:\n"
            "  __sinf   2^-21.41 for x in [-pi, pi], more outside   /nowhere/a.cu:3 in `wave`\n"
            "exact in kernels: __popc\n");
  EXPECT_EQ(line_of(example()),
            "not bit-identical to a GPU: __sinf (bounds: `heddle run --report`)\n");
}

TEST(fidelity_report, of_an_exact_run_says_so) {
  fidelity_report report = example();
  report.operations.erase(report.operations.begin());
  EXPECT_TRUE(report.is_exact());
  EXPECT_EQ(text_of(report),
            "heddle: 1 kernel ran; every operation has a GPU's exact semantics\n"
            "exact in kernels: __popc\n");
  EXPECT_EQ(line_of(report), "");
  report.options = {"-ftz=true"};
  EXPECT_FALSE(report.is_exact());
}

TEST(fidelity_report, names_the_ptx_that_stopped_the_program) {
  fidelity_report report = example();
  report.unsupported.push_back({"the inline PTX `mma.sync`", true, {{"/nowhere/a.cu", 9}}});
  const std::string text = text_of(report);
  EXPECT_NE(text.find("stopped at: the inline PTX `mma.sync`, /nowhere/a.cu:9\n"), text.npos);
}

TEST(fidelity_report, is_written_as_json) {
  const json all = to_json(example());
  EXPECT_EQ(all["exact"], false);
  EXPECT_EQ(all["kernels"], json::array({"wave"}));
  EXPECT_EQ(all["operations"][0], (json{{"name", "__sinf"},
                                        {"kind", "device"},
                                        {"result", "approximate"},
                                        {"bound", "2^-21.41 for x in [-pi, pi], more outside"},
                                        {"kernels", {"wave"}},
                                        {"places", {{{"file", "/nowhere/a.cu"}, {"line", 3}}}}}));
  EXPECT_EQ(all["operations"][1]["result"], "exact");
}

}  // namespace
}  // namespace heddle_report
