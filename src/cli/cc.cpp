// `heddle cc`: compiles and links like nvcc, for the CPU.
#include <fmt/core.h>
#include <frontend/driver/process.hpp>

#include <exception>

#include "cli/build_messages.hpp"
#include "cli/commands.hpp"
#include "cli/compile_commands.hpp"

namespace heddle::cli {
namespace {

constexpr const char* help_text = R"(heddle cc [nvcc's options] FILES…

Compiles CUDA C++ for the CPU. It takes nvcc's command line, so a project that calls nvcc builds with
NVCC="heddle cc".

  -c, -dc, -o, -shared, -lib, -E, -M, -MM, -MD, -MMD, -MF, -MT, -x cu    as in nvcc
  -I -isystem -include -D -U -L -l -std= -O -g -G -w -W… -f… -m…         as in nvcc or g++
  -Xcompiler, -Xlinker, -ccbin    pass options to the C++ compiler, or choose it (default: HEDDLE_CXX,
                                  else g++, else clang++)
  -arch, -gencode, -Xptxas, …     accepted and ignored, since no GPU code is generated
  --compile-commands FILE         add the sources to this compile_commands.json, for clangd
  --no-cache                      compile even if the result is in the cache
  --keep                          keep intermediate files and print where they are
  --verbose                       print each command before it runs
)";

}  // namespace

int cc_command(const std::vector<std::string>& arguments) {
  try {
    const frontend::command_line line =
        frontend::read_command_line(frontend::command::cc, arguments);
    if (line.asks_help) return fmt::print("{}", help_text), 0;
    if (line.asks_version) return version_command();
    frontend::hand_ending_signals_to_children();
    frontend::builder build(line, printing_listener(line.is_verbose));
    if (!line.compile_commands.empty())
      add_compile_commands(line.compile_commands, build.compile_commands());
    build.run_as_compiler();
    return 0;
  } catch (const frontend::build_error& failure) {
    print_error(failure);
    return failure.status();
  } catch (const std::exception& failure) {
    fmt::print(stderr, "heddle: {}\n", failure.what());
    return 2;
  }
}

}  // namespace heddle::cli
