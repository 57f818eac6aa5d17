// Merging a file's text for the host with its text for the device.
#include "frontend/sides/merge.hpp"

#include <gtest/gtest.h>

#include <string>

#include "frontend/sides/compare.hpp"

namespace {

using heddle::frontend::merge_sides;
using heddle::frontend::token;
using heddle::frontend::token_list;

// The tokens, with single blanks between them.
std::string words_of(const std::string& text) {
  const token_list list(text);
  std::string words;
  for (const token& one : list.tokens) words += (words.empty() ? "" : " ") + std::string(one.text);
  return words;
}

// Preprocessed text of a file: its lines, after a line marker.
std::string file_with(const std::string& lines) { return "# 1 \"user.cu\"\n" + lines; }

std::string merged(const std::string& host, const std::string& device) {
  return words_of(merge_sides(file_with(host), file_with(device)).text);
}

const std::string on_both = "__heddle_host__ __heddle_device__ ";

TEST(merging_sides, keeps_equal_texts_byte_for_byte) {
  const std::string text = file_with("int  f() {\n  return 1;\n}\n");
  EXPECT_EQ(merge_sides(text, text).text, text);
}

TEST(merging_sides, chooses_between_bodies_when_the_function_runs) {
  EXPECT_EQ(merged(on_both + "int f() {\nint a = 1;\nreturn host(a);\n}",
                   on_both + "int f() {\nint a = 1;\nreturn device(a);\n}"),
            words_of(on_both + "int f() { if (::heddle_host::is_on_host()) "
                               "{ int a = 1; return host(a); } else "
                               "{ int a = 1; return device(a); } }"));
}

TEST(merging_sides, merges_bodies_that_are_empty_on_one_side) {
  EXPECT_EQ(merged(on_both + "void f() {}", on_both + "void f() {trap();}"),
            words_of(on_both + "void f() { if (::heddle_host::is_on_host()) {} else {trap();} }"));
  EXPECT_EQ(merged(on_both + "void f() {exit(1);}", on_both + "void f() {}"),
            words_of(on_both + "void f() { if (::heddle_host::is_on_host()) {exit(1);} else {} }"));
}

TEST(merging_sides, gives_functions_of_one_side_only_its_body) {
  EXPECT_EQ(merged("void f() {\nhost();\n}", "void f() {\ndevice();\n}"),
            words_of("void f() { host(); }"));
  EXPECT_EQ(merged("__heddle_device__ void f() {\nhost();\n}",
                   "__heddle_device__ void f() {\ndevice();\n}"),
            words_of("__heddle_device__ void f() { device(); }"));
  EXPECT_EQ(merged("__heddle_global__ void f() {\nhost();\n}",
                   "__heddle_global__ void f() {\ndevice();\n}"),
            words_of("__heddle_global__ void f() { device(); }"));
}

TEST(merging_sides, lets_kernels_call_constexpr_functions_without_a_marker) {
  EXPECT_EQ(merged("constexpr int f(int) {\nreturn 1;\n}", "constexpr int f(int) {\nreturn 2;\n}"),
            words_of("constexpr int f(int) { if (::heddle_host::is_on_host()) "
                     "{ return 1; } else { return 2; } }"));
}

// Such as the architecture, which a kernel's launch bounds may be computed from.
TEST(merging_sides, takes_constants_of_functions_without_parameters_from_the_device) {
  const std::string header = "[[nodiscard]] " + on_both + "constexpr int f() noexcept ";
  EXPECT_EQ(merged(header + "{\nreturn 1;\n}", header + "{\nreturn 2;\n}"),
            words_of(header + "{ if (::heddle_host::is_on_host_at_run_time()) "
                              "{ return 1; } else { return 2; } }"));
}

TEST(merging_sides, treats_a_lambda_for_the_device_as_its_own_function) {
  EXPECT_EQ(merged("void f() {\nrun([=] __heddle_device__ (int i) {\nhost(i);\n});\n}",
                   "void f() {\nrun([=] __heddle_device__ (int i) {\ndevice(i);\n});\n}"),
            words_of("void f() { run([=] __heddle_device__ (int i) { device(i); }); }"));
  // Both the host function around it and the lambda have two versions.
  EXPECT_EQ(
      merged("void f() {\nhost();\nrun([=] __heddle_device__ (int i) {\nhost(i);\n});\n}",
             "void f() {\ndevice();\nrun([=] __heddle_device__ (int i) {\ndevice(i);\n});\n}"),
      words_of("void f() { host(); run([=] __heddle_device__ (int i) { device(i); }); }"));
}

TEST(merging_sides, pairs_functions_that_are_defined_twice) {
  EXPECT_EQ(merged("\n\n\ninline int f(int a) { return host(a); }\n",
                   "\n__heddle_device__ inline int f(int a) { return device(a); }\n\n\n"),
            words_of("__heddle_device__ inline int f(int a) { if (::heddle_host::is_on_host()) "
                     "{ return host(a); } else { return device(a); } }"));
}

TEST(merging_sides, adds_what_only_the_host_declares) {
  EXPECT_EQ(
      merged("int a;\nvoid log();\nstruct clock { int now; };\nint b;\n", "int a;\n\n\nint b;\n"),
      words_of("int a; void log(); struct clock { int now; }; int b;"));
  EXPECT_EQ(merged("int a;\nvoid log();\n", "int a;\n\n"), words_of("int a; void log();"));
  EXPECT_EQ(merged("struct s {\nint a;\nvoid log() {}\n};\n", "struct s {\nint a;\n\n};\n"),
            words_of("struct s { int a; void log() {} };"));
}

// As in CCCL 3.2, whose two functions have the same attributes.
TEST(merging_sides, adds_the_hosts_function_where_the_device_has_another) {
  const std::string attributes =
      "template <typename T> [[nodiscard]] __attribute__((visibility(\"hidden\"))) " + on_both;
  const std::string of_host = attributes + "bool on_host(T* p) { return p; }\n";
  const std::string of_device = attributes + "bool on_device(T* p) { return !p; }\n";
  EXPECT_EQ(merged("int a;\n" + of_host + "\nint b;\n", "int a;\n\n" + of_device + "int b;\n"),
            words_of("int a;" + of_device + of_host + "int b;"));
}

TEST(merging_sides, keeps_what_only_the_device_declares) {
  EXPECT_EQ(merged("int a;\n\nint b;\n", "int a;\nvoid lanes();\nint b;\n"),
            words_of("int a; void lanes(); int b;"));
}

// In the host's pass `__CUDA_ARCH__ < 600` holds, and old programs define atomicAdd there.
TEST(merging_sides, leaves_out_device_functions_that_only_the_host_sees) {
  EXPECT_EQ(
      merged("int a;\n__heddle_device__ double atomicAdd(double* p, double v) { return v; }\n",
             "int a;\n\n"),
      words_of("int a;"));
  EXPECT_EQ(merged("int a;\n__heddle_global__ void old() {}\n", "int a;\n\n"), words_of("int a;"));
}

TEST(merging_sides, uses_the_devices_version_of_other_declarations) {
  const auto result = merge_sides(file_with("inline constexpr int architecture = 0;\n"),
                                  file_with("\ninline constexpr int architecture = 900;\n"));
  EXPECT_EQ(words_of(result.text), words_of("inline constexpr int architecture = 900;"));
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_EQ(result.notes[0].location, "user.cu:2");
}

// Every token of the result is on the line where the user wrote it.
TEST(merging_sides, uses_the_devices_types_wherever_the_host_declares_them) {
  // The preprocessor leaves blank lines where a side has nothing.
  const auto in = [](const std::string& first, const std::string& last) {
    return "namespace n {\n" + first + "\nint between;\n" + last + "\n}\n";
  };
  const std::string alias = "using type = int const&;", own = "struct type { int value; };";
  const std::string on_device = in("", own);
  EXPECT_EQ(merged(in(alias, ""), on_device), words_of(on_device));
  EXPECT_EQ(merged(in("struct type { };", ""), on_device), words_of(on_device));
  EXPECT_EQ(merged(in("typedef int type;", ""), on_device), words_of(on_device));
  // Not if the device only announces the type, or if only a function has the same name.
  EXPECT_EQ(merged(in("", own), in("struct type;", "")), words_of(in("struct type;", own)));
  EXPECT_EQ(merged(in("struct other type();", ""), on_device),
            words_of(in("struct other type();", own)));
  // Not in another scope.
  EXPECT_EQ(merged(alias + "\n" + in("", ""), "\n" + on_device), words_of(alias + on_device));
}

TEST(merging_sides, keeps_lines) {
  const std::string host =
      "int a;\n" + on_both + "int f()\n{\n\nreturn host;\n}\nvoid log();\nint b;\n";
  const std::string device = "int a;\n" + on_both + "int f()\n{\nreturn device;\n\n}\n\nint b;\n";
  const token_list list(merge_sides(file_with(host), file_with(device)).text);
  const auto line_of = [&](std::string_view word) {
    for (const token& one : list.tokens)
      if (one.text == word) return one.line;
    return 0u;
  };
  EXPECT_EQ(line_of("a"), 1u);
  EXPECT_EQ(line_of("f"), 2u);
  EXPECT_EQ(line_of("host"), 5u);
  EXPECT_EQ(line_of("device"), 4u);
  EXPECT_EQ(line_of("log"), 7u);
  EXPECT_EQ(line_of("b"), 8u);
}

// A header that only the host includes: the markers of its begin and end must not unbalance g++'s.
TEST(merging_sides, adds_a_header_that_only_the_host_includes) {
  const std::string host =
      "# 1 \"user.cu\"\nint a;\n# 1 \"log.h\" 1 3\nvoid log();\nvoid more();\n# 3 \"user.cu\" "
      "2\nint b;\n";
  const std::string device = "# 1 \"user.cu\"\nint a;\n# 3 \"user.cu\"\nint b;\n";
  const std::string text = merge_sides(host, device).text;
  EXPECT_EQ(words_of(text), words_of("int a; void log(); void more(); int b;"));
  EXPECT_EQ(text.find("\" 1"), std::string::npos);
  EXPECT_EQ(text.find("\" 2"), std::string::npos);
  EXPECT_NE(text.find("\"log.h\" 3"), std::string::npos);
}

}  // namespace
