// Reads a program file: the executable of this test.
#include <gtest/gtest.h>
#include <unistd.h>
#include <report/check/program_file.hpp>

#include <filesystem>
#include <fstream>
#include <stdexcept>

// A function that contains two calls.
extern "C" [[gnu::noinline]] int called_by_test(int value) {
  asm volatile("" : "+r"(value));
  return value;
}
extern "C" [[gnu::noinline, gnu::used]] int calling_for_test(int value) {
  return called_by_test(value) + called_by_test(value + 1);
}
extern "C" {
[[gnu::used]] extern const char text_for_test[] = "a text\tto be found";
}

namespace heddle_report {
namespace {

std::filesystem::path this_program() { return std::filesystem::read_symlink("/proc/self/exe"); }

const code_symbol* find_function(const program_file& program, std::string_view name) {
  for (const code_symbol& one : program.functions()) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

TEST(program_file_test, finds_the_calls_of_a_function) {
  const program_file program(this_program());
  const auto all = find_direct_calls(program.code(), program.instructions());
  const auto calls = program.calls_of("called_by_test", all);
  ASSERT_EQ(calls.size(), 2u);
  for (const direct_call& one : calls) {
    const code_symbol* const around = program.function_at(one.at);
    ASSERT_NE(around, nullptr);
    EXPECT_EQ(around->name, "calling_for_test");
  }
  EXPECT_EQ(calling_for_test(3), 7);
  EXPECT_TRUE(program.calls_of("no_such_function", all).empty());
}

TEST(program_file_test, finds_calls_to_functions_in_other_files) {
  const program_file program(this_program());
  const auto all = find_direct_calls(program.code(), program.instructions());
  EXPECT_FALSE(program.calls_of("getpid", all).empty()) << getpid();
}

TEST(program_file_test, finds_the_function_around_an_address) {
  const program_file program(this_program());
  const code_symbol* const one = find_function(program, "called_by_test");
  ASSERT_NE(one, nullptr);
  EXPECT_EQ(program.function_at(one->begin), one);
  EXPECT_EQ(program.function_at(one->end - 1), one);
  EXPECT_NE(program.function_at(one->end), one);
  EXPECT_EQ(program.function_at(0), nullptr);
}

TEST(program_file_test, reads_constant_strings) {
  const program_file program(this_program());
  EXPECT_EQ(program.text_of("text_for_test"), "a text\tto be found");
  EXPECT_EQ(program.text_of("no_such_text"), "");
}

TEST(program_file_test, is_refused_if_it_is_not_an_executable) {
  EXPECT_THROW(program_file("/nowhere/at/all"), std::runtime_error);
  const auto path =
      std::filesystem::temp_directory_path() / ("heddle_program_file_" + std::to_string(getpid()));
  for (const char* const text : {"", "#!/bin/sh\n", "\177ELF\2\1\1"}) {
    std::ofstream(path) << text;
    EXPECT_THROW(program_file{path}, std::runtime_error) << text;
  }
  std::filesystem::remove(path);
}

TEST(program_file_test, is_read_as_far_as_possible_if_it_is_truncated) {
  const auto path =
      std::filesystem::temp_directory_path() / ("heddle_cut_program_" + std::to_string(getpid()));
  const std::uintmax_t whole = std::filesystem::file_size(this_program());
  for (const std::uintmax_t bytes : {std::uintmax_t{64}, std::uintmax_t{1000}, whole / 2}) {
    std::filesystem::copy_file(this_program(), path,
                               std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(path, bytes);
    const program_file program(path);
    EXPECT_TRUE(program.functions().empty()) << "its sections are at its end";
    EXPECT_TRUE(
        program
            .calls_of("called_by_test", find_direct_calls(program.code(), program.instructions()))
            .empty());
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace heddle_report
