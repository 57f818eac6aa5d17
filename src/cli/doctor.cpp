// `heddle doctor`: shows what this machine has for kernels, what will be used, what is missing.
#include <fmt/core.h>
#include <frontend/driver/build.hpp>
#include <frontend/driver/build_error.hpp>
#include <frontend/driver/cccl.hpp>
#include <frontend/driver/installation.hpp>
#include <frontend/driver/process.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>

#include "cli/build_messages.hpp"
#include "cli/commands.hpp"
#include "cli/diagnosis.hpp"

namespace heddle::cli {
namespace {

constexpr const char* help_text = R"(heddle doctor [--json]

Lists what this machine has for building and running kernels, one line for each item: system, compiler,
runtime, cache, gdb, CCCL, nvcc, driver, GPUs and their architectures. Says what heddle will use, and how to
get what is missing. Builds and runs a small kernel to check that this works.

  --json    print the same as JSON

Exits with 0 if kernels can be built and run on this machine, on a GPU or on the CPU, and with 1 otherwise.
)";

// The lanes of a warp sum their numbers; the program exits with 0 if the sum is right.
constexpr const char* trial_program = R"(
__global__ void add(int* sum) {
  const int total = __reduce_add_sync(0xffffffffu, threadIdx.x);
  if (threadIdx.x == 0) *sum = total;
}
int main() {
  int *sum = nullptr, result = 0;
  cudaMalloc(&sum, sizeof(int));
  add<<<1, 32>>>(sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(sum);
  return result == 496 ? 0 : 1;
}
)";

// Builds and runs a small program. Returns the reason for a failure; empty on success.
std::string try_kernel() {
  try {
    const frontend::scratch_folder scratch(std::filesystem::temp_directory_path(), "heddle-doctor");
    const std::string file = scratch.path() / "trial.cu";
    if (!(std::ofstream(file) << trial_program).flush())
      return fmt::format("cannot write to {}", scratch.path().string());
    const frontend::command_line line =
        frontend::read_command_line(frontend::command::run, {"--no-cache", file});
    frontend::builder build(line, printing_listener(false));
    const int status = frontend::run_process({build.build_program().string()}).status;
    return status == 0
               ? ""
               : fmt::format("a small kernel was built, but the program exited with {}", status);
  } catch (const frontend::build_error& failure) {
    const bool is_printed = *failure.what() == '\0';
    return is_printed ? "a small kernel could not be built; the compiler's errors are above"
                      : fmt::format("a small kernel could not be built: {}", failure.what());
  } catch (const std::exception& failure) {
    return fmt::format("a small kernel could not be built: {}", failure.what());
  }
}

environment inspect_environment() {
  environment around;
  around.version = HEDDLE_VERSION;
  try {
    const frontend::installation home = frontend::find_installation();
    if (home.libraries.empty()) {
      around.runtime_failure =
          "heddle's library is missing in " + home.include.parent_path().string();
    } else {
      around.runtime = home.libraries.front().string();
      for (const std::filesystem::path& part : {home.checker, home.profiler})
        if (!std::filesystem::exists(part)) around.runtime_failure = part.string() + " is missing";
    }
  } catch (const frontend::build_error& failure) {
    around.runtime_failure = failure.what();
  }
  const std::filesystem::path folder = frontend::default_cache_folder();
  around.cache = folder.string();
  if (!folder.empty()) {
    around.is_cache_writable = frontend::cache(folder).is_usable();
    std::error_code unknown;
    const std::filesystem::space_info room = std::filesystem::space(folder, unknown);
    around.free_bytes = unknown ? 0 : room.available;
  }
  around.debugger = frontend::find_program("gdb");
  around.cccl = frontend::installed_cccl().string();
  return around;
}

const char* word_for(verdict is) {
  return is == verdict::good ? "good" : is == verdict::note ? "note" : "missing";
}

void print_lines(const diagnosis& said) {
  for (const diagnosis_line& line : said.lines) {
    const char mark = line.is == verdict::good ? ' ' : line.is == verdict::note ? '-' : '!';
    fmt::print("{} {:<10}{}\n", mark, line.subject, line.text);
    if (!line.cure.empty()) fmt::print("  {:<10}-> {}\n", "", line.cure);
  }
}

void print_json(const machine& here, const diagnosis& said) {
  nlohmann::json lines = nlohmann::json::array(), gpus = nlohmann::json::array();
  for (const diagnosis_line& line : said.lines)
    lines.push_back({{"subject", line.subject},
                     {"verdict", word_for(line.is)},
                     {"text", line.text},
                     {"cure", line.cure}});
  for (const found_gpu& gpu : here.gpus)
    gpus.push_back({{"name", gpu.name},
                    {"architecture", gpu.architecture()},
                    {"memory", gpu.memory},
                    {"is_offered", gpu.is_supported()}});
  const nlohmann::json all = {
      {"heddle", HEDDLE_VERSION},
      {"usable", said.is_usable},
      {"uses", said.is_gpu_used ? "gpu"
               : said.is_usable ? "cpu"
                                : "nothing"},
      {"system", here.system},
      {"cores", here.cores},
      {"compiler", {{"path", here.compiler.path}, {"version", here.compiler.version}}},
      {"nvcc", {{"path", here.nvcc.path}, {"version", here.nvcc.version}}},
      {"driver", {{"version", here.driver_version}, {"cuda", release_text(here.driver_release)}}},
      {"gpus", gpus},
      {"lines", lines}};
  // File and processor names may not be UTF-8.
  fmt::print("{}\n", all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace

int doctor_command(const std::vector<std::string>& arguments) {
  bool writes_json = false;
  for (const std::string& word : arguments) {
    if (word == "--help" || word == "-h") return fmt::print("{}", help_text), 0;
    if (word != "--json") {
      fmt::print(stderr,
                 "heddle: `heddle doctor` does not accept '{}'; see `heddle doctor --help`\n",
                 word);
      return 2;
    }
    writes_json = true;
  }
  const machine here = inspect_machine();
  environment around = inspect_environment();
  if (!here.compiler.path.empty() && around.runtime_failure.empty()) {
    const auto begin = std::chrono::steady_clock::now();
    around.trial_failure = try_kernel();
    around.trial_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  const diagnosis said = diagnose(here, around);
  writes_json ? print_json(here, said) : print_lines(said);
  return said.is_usable ? 0 : 1;
}

}  // namespace heddle::cli
