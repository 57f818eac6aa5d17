// nvcc's command line: which options are understood, ignored or refused.
#include <frontend/driver/build_error.hpp>
#include <frontend/driver/command_line.hpp>

#include <gtest/gtest.h>

#include <sstream>

namespace heddle::frontend {
namespace {

using words = std::vector<std::string>;

command_line read(const std::string& text, command which = command::cc) {
  std::istringstream stream(text);
  words all;
  for (std::string word; stream >> word;) all.push_back(word);
  return read_command_line(which, all);
}

std::string refusal(const std::string& text, command which = command::cc) {
  try {
    read(text, which);
  } catch (const build_error& failure) {
    EXPECT_EQ(failure.status(), 2);
    return failure.what();
  }
  return "";
}

TEST(command_line, a_usual_compilation_is_understood) {
  const command_line line = read(
      "-c a.cu -o a.o -Iinc -I more -isystem sys -DX=1 -D Y -UZ -include p.h -O3 -g -std=c++20 "
      "-Wall -w");
  EXPECT_EQ(line.what, action::compile);
  ASSERT_EQ(line.inputs.size(), 1u);
  EXPECT_EQ(line.inputs[0].kind, language::cuda);
  EXPECT_EQ(line.output, "a.o");
  EXPECT_EQ(line.preprocessor_flags, (words{"-Iinc", "-Imore", "-isystem", "sys", "-DX=1", "-DY",
                                            "-UZ", "-include", "p.h"}));
  EXPECT_EQ(line.compiler_flags, (words{"-Wall", "-w"}));
  EXPECT_EQ(line.optimization, "-O3");
  EXPECT_EQ(line.debug, "-g");
  EXPECT_EQ(line.standard, "-std=c++20");
}

TEST(command_line, options_about_gpu_code_are_ignored) {
  const command_line line = read(
      "-arch=sm_90 -arch sm_80 --gpu-architecture=compute_75 -gencode arch=compute_90,code=sm_90 "
      "-code=sm_90 -Xptxas -v --ptxas-options=-v -lineinfo -m64 --expt-relaxed-constexpr "
      "--expt-extended-lambda --maxrregcount=32 -Wno-deprecated-gpu-targets -cudart shared "
      "--threads 4 -t0 a.cu");
  EXPECT_EQ(line.inputs.size(), 1u);
  EXPECT_TRUE(line.compiler_flags.empty());
  EXPECT_EQ(line.preprocessor_flags,
            (words{"-D__CUDACC_RELAXED_CONSTEXPR__=1", "-D__CUDACC_EXTENDED_LAMBDA__=1"}));
}

TEST(command_line, options_for_the_host_compiler_and_linker_are_passed_on) {
  const command_line line = read(
      "a.cu -Xcompiler -fPIC,-Wextra --compiler-options=-fopenmp -Xlinker -rpath,/lib -Llib "
      "-lm b.o -lcudart -lcurand -lcublas -lcublasLt -ccbin clang++");
  EXPECT_EQ(line.compiler_flags, (words{"-fPIC", "-Wextra", "-fopenmp"}));
  EXPECT_EQ(line.compiler, "clang++");
  std::string link;
  for (const link_item& item : line.link_items)
    link += (item.is_input ? line.inputs[item.input].path : item.word) + " ";
  EXPECT_EQ(link, "a.cu -Xlinker -rpath -Xlinker /lib -Llib -lm b.o ");
}

TEST(command_line, separate_compilation_and_device_linking_are_understood) {
  EXPECT_TRUE(read("-dc a.cu").is_relocatable);
  EXPECT_TRUE(read("-rdc=true -c a.cu").is_relocatable);
  EXPECT_FALSE(read("-rdc=false -c a.cu").is_relocatable);
  EXPECT_EQ(read("-dlink a.o b.o -o d.o").what, action::link_device_code);
  EXPECT_EQ(read("--lib a.o -o l.a").what, action::archive);
  EXPECT_TRUE(read("-shared a.o -o l.so").makes_shared_library);
}

TEST(command_line, dependency_files_are_passed_on) {
  const command_line line = read("-MD -MF a.d -MT x.o -MP -c a.cu");
  EXPECT_TRUE(line.dependencies.is_wanted);
  EXPECT_EQ(line.dependencies.file, "a.d");
  EXPECT_EQ(line.dependencies.targets, (words{"-MT", "x.o"}));
  EXPECT_EQ(read("-MM a.cu").what, action::list_dependencies);
}

TEST(command_line, the_language_can_be_given) {
  const command_line line = read("-x cu a.cpp -x c++ b.cu -x none c.cpp d.c e.a");
  std::vector<language> kinds;
  for (const input_file& input : line.inputs) kinds.push_back(input.kind);
  EXPECT_EQ(kinds, (std::vector<language>{language::cuda, language::cpp, language::cpp, language::c,
                                          language::linkable}));
}

TEST(command_line, device_debugging_turns_optimisation_off_unless_given) {
  EXPECT_EQ(read("-G a.cu").optimization, "-O0");
  EXPECT_EQ(read("-G -O1 a.cu").optimization, "-O1");
  EXPECT_EQ(read("-G a.cu").debug, "-g");
}

TEST(command_line, fast_maths_never_reaches_the_host_compiler) {
  const command_line line = read("--use_fast_math -ftz=true -prec-div=false -fmad=false a.cu");
  EXPECT_TRUE(line.compiler_flags.empty());
}

TEST(command_line, old_standards_are_raised) {
  EXPECT_EQ(read("-std=c++11 a.cu").standard, "-std=c++17");
  EXPECT_EQ(read("--std c++14 a.cu").standard, "-std=c++17");
  EXPECT_EQ(read("-std=gnu++14 a.cu").standard, "-std=gnu++17");
  EXPECT_EQ(read("-std=c++23 a.cu").standard, "-std=c++23");
}

TEST(command_line, warnings_as_errors_work_in_both_spellings) {
  EXPECT_EQ(read("-Werror all-warnings a.cu").compiler_flags, words{"-Werror"});
  EXPECT_EQ(read("-Werror a.cu").compiler_flags, words{"-Werror"});
  EXPECT_EQ(read("-Werror=unused-variable a.cu").compiler_flags, words{"-Werror=unused-variable"});
  EXPECT_TRUE(read("-Werror cross-execution-space-call a.cu").compiler_flags.empty());
}

TEST(command_line, run_has_its_own_options_and_program_arguments_after_the_dashes) {
  const command_line line =
      read("--gdb --timeout 2.5 --workers=3 --keep -O1 a.cu b.cpp -- -x --gdb", command::run);
  EXPECT_TRUE(line.starts_debugger);
  EXPECT_EQ(line.timeout, "2.5");
  EXPECT_EQ(line.workers, "3");
  EXPECT_TRUE(line.keeps_files);
  EXPECT_EQ(line.inputs.size(), 2u);
  EXPECT_EQ(line.program_arguments, (words{"-x", "--gdb"}));
}

TEST(command_line, unknown_options_give_one_sentence) {
  EXPECT_EQ(refusal("--frobnicate a.cu"), "unknown option --frobnicate");
  EXPECT_EQ(refusal("-qwerty a.cu"), "unknown option -qwerty");
  EXPECT_EQ(refusal("a.cu -o"), "option -o needs a value");
  EXPECT_EQ(refusal("-c"), "no input files");
  EXPECT_NE(refusal("a.txt"), "");
  EXPECT_NE(refusal("-c a.cu b.cu -o x.o"), "");
  EXPECT_NE(refusal("-ptx a.cu"), "");
  EXPECT_NE(refusal("-lcufft a.cu"), "");
  EXPECT_NE(refusal("-m 32 a.cu"), "");
  EXPECT_NE(refusal("--gdb a.cu"), "");
  EXPECT_NE(refusal("-c a.cu", command::run), "");
  EXPECT_NE(refusal("--timeout soon a.cu", command::run), "");
  EXPECT_NE(refusal("--workers 0 a.cu", command::run), "");
}

}  // namespace
}  // namespace heddle::frontend
