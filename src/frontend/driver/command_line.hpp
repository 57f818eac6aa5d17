// Parses nvcc's command line and translates it to the C++ compiler's.
#pragma once
#include <string>
#include <vector>

#include "frontend/driver/check_options.hpp"
#include "frontend/driver/profile_options.hpp"
#include "frontend/driver/run_options.hpp"

namespace heddle::frontend {

enum class language { cuda, cpp, c, linkable };

struct input_file {
  std::string path;
  language kind = language::linkable;
};

enum class action { link, compile, link_device_code, preprocess, list_dependencies, archive };

// One argument of the linker, in the user's order: the object of an input, or a plain word.
struct link_item {
  bool is_input = false;
  std::size_t input = 0;
  std::string word;
};

struct dependency_options {
  bool is_wanted = false;  // -MD, -MMD, -M, -MM
  bool leaves_out_system = false;
  bool adds_phony_targets = false;
  std::string file;                  // -MF
  std::vector<std::string> targets;  // -MT or -MQ, including the option
};

struct command_line {
  action what = action::link;
  std::vector<input_file> inputs;
  std::vector<std::string> preprocessor_flags;  // -I, -D, …
  std::vector<std::string> compiler_flags;      // for every compiler invocation
  std::vector<link_item> link_items;
  std::string standard;      // "-std=c++20"; empty: not given
  std::string optimization;  // "-O3"; empty: not given
  std::string debug;         // "-g"; empty: not given
  std::string output;
  std::string output_folder;
  std::string compiler;  // -ccbin
  dependency_options dependencies;
  bool makes_shared_library = false;
  bool is_relocatable = false;  // -rdc=true: device code may be called across files
  bool writes_coverage = false;
  bool has_sanitizer = false;
  bool is_quiet = false;  // -w

  // heddle's own options.
  bool is_verbose = false;
  bool keeps_files = false;
  bool uses_cache = true;
  bool asks_version = false;
  bool asks_help = false;
  bool starts_debugger = false;
  bool is_checked = false;               // built for the checker
  bool is_profiled = false;              // built for the profiler
  bool is_reported = false;              // built to record which code runs
  std::vector<std::string> gpu_options;  // those that change a GPU's arithmetic: "-fmad=false"
  std::string timeout;                   // seconds
  std::string workers;
  std::string compile_commands;                // the compile_commands.json to add the sources to
  std::vector<std::string> program_arguments;  // after `--`
  check_options check;
  profile_options profile;
  run_options run;
};

enum class command { run, cc, check, profile };

// Throws build_error with one sentence for anything unknown or unsupported.
command_line read_command_line(command which, const std::vector<std::string>& words);

}  // namespace heddle::frontend
