// Every name of the user keeps its file, line and column when the source is rewritten.
#include <frontend/driver/prepare.hpp>
#include <frontend/rewrite/token.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "rewriting.hpp"
#include "support/seed.hpp"

namespace heddle::frontend {
namespace {

// The place of each name that begins with `u_`; each occurs once in the sources below.
std::multimap<std::string, std::string> places(const std::string& text) {
  const token_list list(text);
  std::multimap<std::string, std::string> found;
  for (std::size_t i = 0; i < list.tokens.size(); ++i) {
    const token& t = list.tokens[i];
    if (t.text.substr(0, 2) == "u_")
      found.emplace(t.text, list.location(i) + ":" + std::to_string(t.column));
  }
  return found;
}

// Inserted text may repeat a name.
void expect_places_kept(const std::multimap<std::string, std::string>& before,
                        const std::string& text, const std::string& note = "") {
  const auto after = places(text);
  for (const auto& [word, place] : before) {
    const auto [first, last] = after.equal_range(word);
    const bool is_kept = std::any_of(
        first, last, [&place = place](const auto& found) { return found.second == place; });
    EXPECT_TRUE(is_kept) << word << " was at " << place << note << "\n->\n" << text;
  }
}

void expect_same_places(const std::string& source, const std::string& note = "") {
  const rewrite_result result = rewrite(source);
  ASSERT_TRUE(result.diagnostics.empty()) << result.diagnostics[0].text << "\n" << source;
  expect_places_kept(places(source), result.text, note + "\n" + source);
}

TEST(lines, launches_over_several_lines_keep_places) {
  expect_same_places(
      "# 1 \"a.cu\"\nint u_main() {\n  u_kernel<u_type>\n    <<<u_grid,\n      "
      "u_block>>>(u_first,\n"
      "        u_second); u_after();\n  u_end();\n}\n");
}

TEST(lines, kernels_shared_variables_and_assembly_keep_places) {
  expect_same_places(
      "# 10 \"a.cu\"\n__heddle_global__ void\nu_kernel(int u_n) { u_first();\n"
      "  __heddle_shared__ float u_a[u_size],\n    u_b; u_c();\n"
      "  extern __heddle_shared__ char d[]; u_e();\n"
      "  asm volatile(\"mov.u32 %0, %%laneid;\"\n : \"=r\"(x)); u_f();\n"
      "  auto u_l = [=] { return u_a[0]; }; u_g(__func__, u_h);\n} int u_i;\n"
      "__heddle_shared__ int u_j; int u_k;\n");
}

TEST(lines, markers_inside_a_launch_keep_places) {
  // How g++ expands a macro of a system header: `k<<<1, 2, 0, NULL>>>(x)`.
  expect_same_places(
      "# 1 \"a.cu\"\nvoid u_f() {\n u_k<<<u_g, 2, 0, \n# 3 \"a.cu\" 3 4\n  __null\n# 3 \"a.cu\"\n"
      "   >>>(u_x); u_y;\n}\n");
}

TEST(lines, entering_and_leaving_a_header_keeps_places) {
  expect_same_places(
      "# 1 \"a.cu\"\n# 1 \"h.cuh\" 1\n__heddle_device__ int u_f() { return u_g; }\n"
      "__heddle_global__ void u_k() { u_h; }\n# 2 \"a.cu\" 2\n__heddle_global__ void u_m() { u_i; "
      "}\n");
}

TEST(lines, random_sources_keep_places) {
  const auto seed = static_cast<unsigned>(heddle_test::seed());
  std::mt19937 random(seed);
  for (int round = 0; round < 300; ++round) {
    int number = 0;
    const auto word = [&] { return "u_" + std::to_string(number++); };
    const auto blank = [&]() -> std::string {
      return random() % 4 == 0 ? std::string(1 + random() % 12, '\n') : random() % 2 ? " " : "\t ";
    };
    std::string text = "# 1 \"a.cu\"\n";
    for (int function = 0; function < 3; ++function) {
      text += "__heddle_global__" + blank() + "void" + blank() + word() + "(int " + word() + ")" +
              blank() + "{" + blank();
      for (unsigned i = random() % 5; i-- > 0;) {
        if (random() % 2)
          text += "__heddle_shared__" + blank() + "int " + word() + "[" + word() + "]," + blank() +
                  word() + ";" + blank();
        else
          text += word() + "(" + blank() + word() + ");" + blank();
      }
      text += "}" + blank() + "void " + word() + "()" + blank() + "{";
      for (unsigned i = random() % 4; i-- > 0;)
        text += blank() + word() + blank() + "<<<" + word() + "," + blank() + word() + ">>>" +
                blank() + "(" + word() + blank() + ");" + word() + ";";
      text += "}\n";
    }
    expect_same_places(text, "\n" + heddle_test::seed_text());
    if (HasFailure()) return;
  }
}

// The place of each name that begins with `u_` after rewriting with the source at hand. Columns
// count from 1, as in compilers.
void expect_columns_of_source(const std::string& source, const std::string& preprocessed) {
  rewrite_options options;
  options.read_source = [&](const std::string& file) { return file == "a.cu" ? source : ""; };
  const rewrite_result result = rewrite("# 1 \"a.cu\"\n" + preprocessed, options);
  ASSERT_TRUE(result.diagnostics.empty()) << result.diagnostics[0].text;
  expect_places_kept(places("# 1 \"a.cu\"\n" + source), result.text);
}

TEST(lines, columns_are_those_of_the_source) {
  expect_columns_of_source("__global__ void u_k(int* u_p) { u_p1[0] = u_a; }\n",
                           "__heddle_global__ void u_k(int* u_p) { u_p1[0] = u_a; }\n");
  expect_columns_of_source("__shared__ int u_a,   /* why */ u_b; u_c  =  u_d;\n",
                           "__heddle_shared__ int u_a, u_b; u_c = u_d;\n");
  expect_columns_of_source("\tu_a(1);\tu_b();\n", " u_a(1); u_b();\n");
}

TEST(lines, columns_after_a_macro_are_those_of_the_source) {
  expect_columns_of_source("void u_f() { CHECK(u_g(1, 2)); u_h(u_i); }\n",
                           "void u_f() { do { int e = (u_g(1, 2)); if (e) stop(e, 1); } while (0); "
                           "u_h(u_i); }\n");
  expect_columns_of_source("int u_a = LONG_NAME_OF_ONE; int u_b;\n", "int u_a = 1; int u_b;\n");
}

TEST(lines, a_long_line_of_data_keeps_its_columns) {
  std::string numbers;
  for (int i = 0; i < 3000; ++i) numbers += std::to_string(i) + ", ";
  const std::string line = "int u_a[] = {" + numbers + "}; int u_b;\n";
  expect_columns_of_source(line, line);
}

TEST(lines, our_headers_give_no_warnings_and_nvcc_pragmas_are_removed) {
  EXPECT_EQ(prepare("# 1 \"/own/include/a.h\" 1\nx\n# 2 \"a.cu\" 2\n#pragma unroll 4\ny\n"
                    "#pragma GCC diagnostic push\n",
                    {"/own/include"}),
            "# 1 \"/own/include/a.h\" 1 3\nx\n# 2 \"a.cu\" 2\n\ny\n#pragma GCC diagnostic push\n");
}

TEST(lines, entered_headers_are_recorded_with_the_line_that_includes_them) {
  const auto found =
      entered_files("# 0 \"a.cu\"\n# 1 \"a.cu\"\n\n\n# 1 \"cub/cub.cuh\" 1\nx\n# 4 \"a.cu\" 2\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].path, "cub/cub.cuh");
  EXPECT_EQ(found[0].included_from, "a.cu:3");
}

}  // namespace
}  // namespace heddle::frontend
