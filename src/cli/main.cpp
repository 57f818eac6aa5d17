// The `heddle` binary: finds the command and passes it the rest of the command line.
#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "cli/cmake_probe.hpp"
#include "cli/commands.hpp"

int main(int argc, char** argv) {
  using namespace heddle::cli;
  if (const auto code = answer_cmake_probe({argv + 1, argv + argc})) return *code;
  const std::string name = argc > 1 ? argv[1] : "";
  // These commands parse their own arguments, since nvcc's options follow no common convention.
  const std::vector<std::string> rest(argv + (argc > 1 ? 2 : 1), argv + argc);
  if (name == "run") return run_command(rest);
  if (name == "cc") return cc_command(rest);
  if (name == "check") return check_command(rest);
  if (name == "cluster") return cluster_command(rest);
  if (name == "profile") return profile_command(rest);
  if (name == "doctor") return doctor_command(rest);
  if (name == "tour") return tour_command(rest);
  if (name == "explain") return explain_command(rest);

  CLI::App app{"Runs CUDA C++ on the CPU, lane by lane as a GPU would.", "heddle"};
  app.require_subcommand(1);
  app.failure_message([&name](const CLI::App*, const CLI::Error& error) {
    const bool is_option = name.empty() || name.front() == '-';
    const std::string what = is_option ? error.what() : "unknown command '" + name + "'";
    return "heddle: " + what + "; `heddle help` lists the commands\n";
  });
  app.add_subcommand("tour", "see warp-level CUDA at work on this machine");
  app.add_subcommand("run", "build .cu files and run the program");
  app.add_subcommand("check", "run under several schedules and report races, deadlocks, …");
  app.add_subcommand("profile", "run once and show what makes the kernels slow");
  app.add_subcommand("explain", "explain a kind of finding");
  app.add_subcommand("doctor", "show what this machine has, and what is missing");
  app.add_subcommand("cluster", "find the clusters in point clouds");
  app.add_subcommand("cc", "compile; takes nvcc's command line");
  CLI::App* version = app.add_subcommand("version", "print the version");
  CLI::App* help = app.add_subcommand("help", "print this text");
  bool asks_version = false;
  app.add_flag("--version,-V", asks_version, "print the version");
  app.footer("`heddle COMMAND --help` describes the options of a command.");
  try {
    if (name == "--version" || name == "-V") return version_command();
    app.parse(argc, argv);
    if (version->parsed()) return version_command();
    if (help->parsed()) {
      // Parsed again as an option: CLI11 would print only the help of the `help` command.
      const char* const asking[] = {argv[0], "--help"};
      app.parse(2, asking);
    }
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return 0;
}
