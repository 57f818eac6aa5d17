// The C++ compiler that builds programs, and the flags it gets.
#include "frontend/driver/toolchain.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "frontend/driver/build_error.hpp"
#include "frontend/driver/process.hpp"

namespace heddle::frontend {
namespace {

// The C library's byte copies, and the variants that objects built with _FORTIFY_SOURCE call.
constexpr const char* wrapped_copies =
    "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset,--wrap=__memcpy_chk,--wrap=__memmove_chk,"
    "--wrap=__memset_chk";

void append(std::vector<std::string>& all, const std::vector<std::string>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

std::vector<std::string> choose_compiler(const std::string& wanted) {
  if (!wanted.empty()) {
    const bool is_folder = std::filesystem::is_directory(wanted);
    const std::string program = is_folder ? wanted + "/g++" : wanted;
    if (find_program(program).empty()) throw build_error("compiler not found: " + program);
    return {program};
  }
  if (const char* from_environment = std::getenv("HEDDLE_CXX"); from_environment != nullptr) {
    std::istringstream words(from_environment);
    std::vector<std::string> command;
    for (std::string word; words >> word;) command.push_back(word);
    if (!command.empty()) {
      if (find_program(command[0]).empty())
        throw build_error("compiler not found: " + command[0] + " (from HEDDLE_CXX)");
      return command;
    }
  }
  for (const char* name : {"g++", "clang++"})
    if (!find_program(name).empty()) return {name};
  throw build_error("no C++ compiler found: install g++, or set HEDDLE_CXX to another one");
}

}  // namespace

toolchain::toolchain(const command_line& line, const installation& home)
    : line_(line), home_(home), compiler_(choose_compiler(line.compiler)) {
  std::vector<std::string> command = compiler_;
  command.push_back("--version");
  const std::string version = run_process(command, capture::standard_output).output;
  command.back() = "-dumpmachine";
  const std::string target = run_process(command, capture::standard_output).output;
  identity_ = shell_line(compiler_) + '\n' + version + target;
  is_clang_ = version.find("clang") != std::string::npos;
  is_x86_gcc_ = !is_clang_ && target.starts_with("x86_64");
}

std::vector<std::string> toolchain::code_flags(language kind) const {
  std::vector<std::string> flags;
  if (kind != language::c)
    flags.push_back(line_.standard.empty() ? "-std=gnu++17" : line_.standard);
  // Optimisation may remove a race, so checked code gets little of it.
  const bool wants_none = line_.optimization == "-O0";
  flags.push_back(line_.is_profiled            ? "-O1"
                  : line_.is_checked           ? (wants_none ? "-O0" : "-O1")
                  : line_.optimization.empty() ? "-O2"
                                               : line_.optimization);
  flags.push_back(line_.debug.empty() ? "-g1" : line_.debug);
  // The report needs these to find the line of an address; g++ writes them by default.
  if (is_clang_) flags.push_back("-gdwarf-aranges");
  // Lanes poll plain memory, device code reinterprets it, and results must not depend on whether
  // the host fuses multiply and add.
  append(flags, {"-fno-strict-aliasing", "-fno-finite-loops", "-ffp-contract=off", "-pthread"});
  // 32 lanes run as a loop, even if an array has only 16 elements in each row.
  if (!is_clang_ && kind == language::cuda) flags.push_back("-fno-aggressive-loop-optimizations");
  // g++ 13 may move 64 bits through an MMX register without emms; the next x87 computation, such as
  // fmod(), would yield NaN.
  if (is_x86_gcc_ && kind == language::cuda) flags.push_back("-mno-mmx");
  // Suppresses g++'s notes about an ABI change for values of 32 bytes and more in our headers.
  if (is_x86_gcc_ && kind == language::cuda) flags.push_back("-Wno-psabi");
  // clang++ would remove accesses through a pointer known to be null, and they would not fault.
  if (is_clang_ && kind == language::cuda) flags.push_back("-fno-delete-null-pointer-checks");
  // Most CUDA programs are written for x86-64, where a plain char is signed.
  if (kind == language::cuda) flags.push_back("-fsigned-char");
  append(flags, line_.compiler_flags);
  if (line_.is_checked) {
    append(flags, checking_flags());
    // The hooks do not see copies and fills that the compiler expands inline.
    append(flags, {"-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset"});
  }
  if (line_.is_profiled) append(flags, profiling_flags());
  // The runtime marks each basic block that runs.
  if (line_.is_reported) {
    flags.push_back(is_clang_ ? "-fsanitize-coverage=bb,no-prune,trace-pc"
                              : "-fsanitize-coverage=trace-pc");
  }
  return flags;
}

// The compiler calls the profiler before each memory access, at the start of each source block and
// at each comparison. A struct access stays one access, as on a GPU. Functions from headers are
// inlined, so an access belongs to the line that calls them.
std::vector<std::string> toolchain::profiling_flags() const {
  if (is_clang_) {
    return {"-fsanitize=thread", "-mllvm", "-tsan-instrument-func-entry-exit=0",
            "-fsanitize-coverage=trace-pc,trace-cmp"};
  }
  return {"-fsanitize=thread", "--param=tsan-instrument-func-entry-exit=0",
          "-Wno-tsan",         "-fsanitize-coverage=trace-pc,trace-cmp",
          "-fno-tree-sra",     "-finline-small-functions",
          "-finline-functions"};
}

// The compiler calls the checker before each memory access, at comparisons and at the start of each
// basic block. It also reports misaligned pointers and indices out of the bounds of arrays with
// known size. Functions are inlined, so an access in a library has the line that calls it.
std::vector<std::string> toolchain::checking_flags() const {
  if (is_clang_) {
    return {"-fsanitize=thread,alignment,array-bounds",
            "-mllvm",
            "-tsan-distinguish-volatile=1",
            "-mllvm",
            "-tsan-instrument-func-entry-exit=0",
            "-mllvm",
            "-tsan-instrument-read-before-write=1",
            "-fsanitize-coverage=bb,no-prune,trace-pc,trace-cmp"};
  }
  return {"-fsanitize=thread,alignment,bounds",
          "--param=tsan-distinguish-volatile=1",
          "--param=tsan-instrument-func-entry-exit=0",
          "-Wno-tsan",  // warns that fences are not supported; ours are
          "-fsanitize-coverage=trace-pc,trace-cmp",
          "-finline-small-functions",
          "-finline-functions",
          "-fno-ivopts"};  // would compare pointers instead of counters, and those are not traced
}

std::vector<std::string> toolchain::include_flags(language kind,
                                                  const include_folders& before_ours) const {
  // Our CUDA headers come before the user's; our library headers come last, so the user can
  // override them.
  std::vector<std::string> flags;
  for (const std::filesystem::path& folder : before_ours) flags.push_back("-I" + folder.string());
  // CUB would annotate its calls for a profiler of GPUs.
  if (!before_ours.empty()) flags.push_back("-DCCCL_DISABLE_NVTX=1");
  flags.push_back("-I" + home_.cuda_include.string());
  if (kind == language::cuda) {
    append(flags,
           {"-D__CUDACC__=1", "-D__NVCC__=1", "-D__HEDDLE_FRONTEND__=1", "-D__CUDA_ARCH_LIST__=900",
            "-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0", "-D__CUDACC_VER_BUILD__=0",
            "-include", "cuda_runtime.h", "-include", "detail/inline_ptx.h"});
    if (!before_ours.empty()) append(flags, {"-include", "detail/cccl_typeid.h"});
    // A profile counts what a release build does on a GPU.
    flags.push_back(line_.is_profiled ? "-DHEDDLE_CHECK_PRECONDITIONS=0"
                                      : "-DHEDDLE_CHECK_PRECONDITIONS=1");
    if (line_.is_checked) flags.push_back("-DHEDDLE_CHECKED=1");
    if (line_.is_profiled) flags.push_back("-DHEDDLE_PROFILED=1");
  } else {
    // Host code sees CUDA's keywords in shared headers, where nothing rewrites them.
    for (const char* word : {"global", "device", "shared"})
      flags.push_back("-D__heddle_" + std::string(word) + "__=");
    append(flags, {"-D__heddle_launch_bounds__(...)=", "-D__heddle_cluster_dims__(...)="});
  }
  append(flags, line_.preprocessor_flags);
  // Some distributions define it, and it makes copies inline despite -fno-builtin.
  if (line_.is_checked || line_.is_profiled) flags.push_back("-U_FORTIFY_SOURCE");
  flags.push_back("-I" + home_.include.string());
  return flags;
}

std::vector<std::string> toolchain::preprocess_command(const input_file& input, compiled_for target,
                                                       const include_folders& before_ours) const {
  std::vector<std::string> command = compiler_;
  append(command, code_flags(input.kind));
  append(command, include_flags(input.kind, before_ours));
  if (input.kind == language::cuda && target == compiled_for::device)
    command.push_back("-D__CUDA_ARCH__=900");
  append(command, {"-E", "-x", input.kind == language::c ? "c" : "c++", input.path});
  return command;
}

// The compiler and its options for preprocessed text.
std::vector<std::string> toolchain::text_flags(bool has_cccl) const {
  std::vector<std::string> command = compiler_;
  append(command, code_flags(language::cuda));
  // CUB's classes have `using BlockExchange = BlockExchange<…>;`, which g++ rejects otherwise.
  if (has_cccl && !is_clang_) command.push_back("-fpermissive");
  // clang would quote the rewritten text; g++ quotes the user's file.
  if (is_clang_) command.push_back("-fno-caret-diagnostics");
  // Kernels become lambdas with attributes that g++ accepts in any standard.
  if (is_clang_) command.push_back("-Wno-c++2b-extensions");
  return command;
}

std::vector<std::string> toolchain::compile_text_command(const std::string& text_file,
                                                         const std::string& object,
                                                         bool has_cccl) const {
  std::vector<std::string> command = text_flags(has_cccl);
  append(command, {"-x", "c++-cpp-output", "-c", text_file, "-o", object});
  return command;
}

std::optional<std::vector<std::string>> toolchain::precompile_command(const std::string& text_file,
                                                                      const std::string& header,
                                                                      bool has_cccl) const {
  if (is_clang_) return std::nullopt;
  std::vector<std::string> command = text_flags(has_cccl);
  append(command, {"-fpreprocessed", "-x", "c++-header", text_file, "-o", header});
  return command;
}

std::vector<std::string> toolchain::compile_file_command(const input_file& input,
                                                         const std::string& object) const {
  std::vector<std::string> command = compiler_;
  append(command, code_flags(input.kind));
  append(command, include_flags(input.kind, {}));
  append(command, {"-x", input.kind == language::c ? "c" : "c++", "-c", input.path, "-o", object});
  return command;
}

std::vector<std::string> toolchain::clangd_command(const input_file& input,
                                                   const std::string& object) const {
  if (input.kind != language::cuda) return compile_file_command(input, object);
  std::vector<std::string> command{"clang++",
                                   "-xcuda",
                                   "--cuda-host-only",
                                   "-nocudainc",
                                   "-nocudalib",
                                   "-Wno-unknown-cuda-version",
                                   "-Xclang",
                                   "-fcuda-allow-variadic-functions",
                                   line_.standard.empty() ? "-std=gnu++17" : line_.standard,
                                   "-I" + home_.cuda_include.string(),
                                   "-include",
                                   "heddle_clangd.h"};
  append(command, line_.preprocessor_flags);
  command.push_back("-I" + home_.include.string());
  append(command, line_.compiler_flags);
  append(command, {"-c", input.path, "-o", object});
  return command;
}

std::vector<std::string> toolchain::empty_object_command(const std::string& object) const {
  std::vector<std::string> command = compiler_;
  append(command, {"-x", "c++", "-c", "/dev/null", "-o", object});
  return command;
}

std::vector<std::string> toolchain::link_command(const std::vector<std::string>& words,
                                                 const std::string& program) const {
  std::vector<std::string> command = compiler_;
  append(command, line_.compiler_flags);
  if (line_.makes_shared_library) command.push_back("-shared");
  append(command, words);
  if (line_.is_checked) {
    // The C library's copies, allocations and prints on behalf of a lane are checked, too. Binding
    // is immediate, since forked processes would each have to resolve the symbols again.
    append(command,
           {"-Wl,-z,now", wrapped_copies, "-Wl,--wrap=malloc,--wrap=free",
            "-Wl,--wrap=printf,--wrap=vprintf,--wrap=__printf_chk,--wrap=puts,--wrap=putchar",
            home_.checker.string()});
  }
  if (line_.is_profiled) {
    append(command, {wrapped_copies, home_.profiler.string()});
  }
  command.push_back("-Wl,--start-group");  // they depend on each other
  for (const auto& library : home_.libraries) command.push_back(library.string());
  append(command, {"-Wl,--end-group", "-ldw", "-pthread", "-o", program});
  return command;
}

}  // namespace heddle::frontend
