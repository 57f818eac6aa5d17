// Parses nvcc's command line, with one table of options and one action for each.
#include "frontend/driver/command_line.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <functional>
#include <utility>

#include "frontend/driver/build_error.hpp"
#include "frontend/driver/command_line_rules.hpp"
#include "frontend/driver/option_table.hpp"
#include "frontend/rewrite/unsupported.hpp"

namespace heddle::frontend {
namespace {

language language_of_file(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".cu") return language::cuda;
  if (extension == ".c") return language::c;
  for (const char* one : {".cpp", ".cc", ".cxx", ".c++", ".C", ".CPP", ".cp"})
    if (extension == one) return language::cpp;
  return language::linkable;
}

bool is_linkable_name(const std::string& path) {
  const std::filesystem::path file(path);
  const std::string extension = file.extension().string();
  for (const char* one : {".o", ".obj", ".a", ".so", ".lib"})
    if (extension == one) return true;
  return file.filename().string().find(".so.") != std::string::npos;
}

class reader {
 public:
  reader(command which, const std::vector<std::string>& words) : which_(which), words_(words) {
    describe_options();
    if (which == command::cc) describe_cc_options();
    if (which == command::run) describe_run_options();
    if (which == command::check) describe_check_options();
    if (which == command::profile) describe_profile_options();
  }

  command_line run() {
    while (at_ < words_.size()) {
      const std::string& word = words_[at_++];
      if (word == "--" && which_ != command::cc) {
        take_program_arguments();
        break;
      }
      if (word.size() > 1 && word[0] == '-') {
        read_option(word);
      } else if (which_ == command::check && is_built_program(word)) {
        line_.check.program = word;
        if (at_ < words_.size() && words_[at_] == "--") ++at_;
        take_program_arguments();
        break;
      } else {
        add_input(word);
      }
    }
    if (optimization_of_device_debug_ && line_.optimization.empty()) line_.optimization = "-O0";
    expect_consistent(which_, line_);
    return std::move(line_);
  }

 private:
  using names = std::initializer_list<const char*>;
  void flag(
      names of, std::function<void()> act = [] {}) {
    options_.flag(of, std::move(act));
  }
  void value(
      names of, std::function<void(const std::string&)> act = [](const std::string&) {}) {
    options_.value(of, std::move(act));
  }

  void describe_options() {
    describe_actions();
    describe_preprocessing();
    describe_compiling();
    describe_linking();
    describe_dependencies();
    describe_ignored_options();
  }

  void describe_actions() {
    flag({"c", "compile"}, [this] { line_.what = action::compile; });
    flag({"dc", "device-c"}, [this] {
      line_.what = action::compile;
      make_relocatable();
    });
    flag({"dw", "device-w"}, [this] { line_.what = action::compile; });
    flag({"dlink", "device-link"}, [this] { line_.what = action::link_device_code; });
    flag({"link"}, [this] { line_.what = action::link; });
    flag({"lib"}, [this] { line_.what = action::archive; });
    flag({"E", "preprocess"}, [this] { line_.what = action::preprocess; });
    flag({"shared"}, [this] { line_.makes_shared_library = true; });
    value({"o", "output-file"}, [this](const std::string& file) { line_.output = file; });
    value({"odir", "output-directory"},
          [this](const std::string& folder) { line_.output_folder = folder; });
    value({"x", "language"}, [this](const std::string& name) { set_language(name); });
    value({"rdc", "relocatable-device-code"}, [this](const std::string& answer) {
      if (answer == "true") make_relocatable();
    });
    flag({"version", "V"}, [this] { line_.asks_version = true; });
    flag({"help", "h"}, [this] { line_.asks_help = true; });
    flag({"v", "verbose"}, [this] { line_.is_verbose = true; });
    flag({"k", "keep", "save-temps"}, [this] { line_.keeps_files = true; });
    flag({"no-cache"}, [this] { line_.uses_cache = false; });
    flag({"check"}, [this] { line_.is_checked = true; });
    for (const char* name : {"ptx", "cubin", "fatbin", "optix-ir", "ltoir"})
      flag({name}, [name] {
        throw build_error("option -" + std::string(name) +
                          " requests GPU code, which does not exist on the CPU");
      });
  }

  void describe_preprocessing() {
    for (const char* name : {"I", "include-path"})
      value({name}, [this](const std::string& folders) {
        for (const std::string& folder : split(folders, ","))
          line_.preprocessor_flags.push_back("-I" + folder);
      });
    const auto two_words = [this](const char* compiler_option) {
      return [this, compiler_option](const std::string& argument) {
        line_.preprocessor_flags.push_back(compiler_option);
        line_.preprocessor_flags.push_back(argument);
      };
    };
    value({"isystem", "system-include"}, two_words("-isystem"));
    value({"iquote"}, two_words("-iquote"));
    value({"idirafter"}, two_words("-idirafter"));
    value({"include", "pre-include"}, two_words("-include"));
    value({"D", "define-macro"},
          [this](const std::string& text) { line_.preprocessor_flags.push_back("-D" + text); });
    value({"U", "undefine-macro"},
          [this](const std::string& text) { line_.preprocessor_flags.push_back("-U" + text); });
    value({"default-stream"}, [this](const std::string& kind) {
      if (kind == "per-thread")
        line_.preprocessor_flags.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    });
    flag({"expt-relaxed-constexpr"},
         [this] { line_.preprocessor_flags.push_back("-D__CUDACC_RELAXED_CONSTEXPR__=1"); });
    flag({"extended-lambda", "expt-extended-lambda"},
         [this] { line_.preprocessor_flags.push_back("-D__CUDACC_EXTENDED_LAMBDA__=1"); });
    // Not the host's -ffast-math: that would break NaN and infinity, which GPUs support.
    flag({"use_fast_math", "use-fast-math"}, [this] {
      line_.preprocessor_flags.push_back("-D__USE_FAST_MATH__=1");
      line_.gpu_options.push_back("--use_fast_math");
    });
    describe_gpu_arithmetic();
  }

  // The CPU ignores these options, but the report of a run lists those that change a GPU's results.
  void describe_gpu_arithmetic() {
    const auto choice = [this](const char* name, const char* noted) {
      value({name}, [this, name, noted](const std::string& given) {
        const bool is_noted =
            given == noted || (given == "0" && *noted == 'f') || (given == "1" && *noted == 't');
        if (is_noted) line_.gpu_options.push_back("-" + std::string(name) + "=" + noted);
      });
    };
    choice("ftz", "true");
    choice("prec-div", "false");
    choice("prec-sqrt", "false");
    choice("fmad", "false");
  }

  void describe_compiling() {
    value({"std"}, [this](const std::string& name) { set_standard(name); });
    value({"O", "optimize"},
          [this](const std::string& level) { line_.optimization = "-O" + level; });
    flag({"g", "debug"}, [this] { line_.debug = "-g"; });
    flag({"G", "device-debug"}, [this] {
      line_.debug = "-g";
      optimization_of_device_debug_ = true;
      line_.preprocessor_flags.push_back("-D__CUDACC_DEBUG__=1");
    });
    flag({"w", "disable-warnings"}, [this] {
      line_.is_quiet = true;
      line_.compiler_flags.push_back("-w");
    });
    flag({"pg", "profile"}, [this] { line_.compiler_flags.push_back("-pg"); });
    flag({"pthread"}, [this] { line_.compiler_flags.push_back("-pthread"); });
    flag({"coverage"}, [this] { add_compiler_flag("--coverage"); });
    flag({"pedantic"}, [this] { line_.compiler_flags.push_back("-pedantic"); });
    value({"ccbin", "compiler-bindir"},
          [this](const std::string& program) { line_.compiler = program; });
    value({"Xcompiler", "compiler-options"}, [this](const std::string& words) {
      for (const std::string& word : split(words, ", ")) {
        // `-Xcompiler -fsanitize=address,undefined`: the comma belongs to the flag.
        std::vector<std::string>& flags = line_.compiler_flags;
        if (word[0] != '-' && !flags.empty() && flags.back().starts_with("-fsanitize="))
          flags.back() += "," + word;
        else
          add_compiler_flag(word);
      }
    });
    value({"machine"}, [](const std::string& bits) {
      if (bits != "64") throw build_error("only 64-bit programs are supported");
    });
  }

  void describe_linking() {
    value({"L", "library-path"},
          [this](const std::string& folder) { add_link_word("-L" + folder); });
    value({"l", "library"}, [this](const std::string& names) {
      for (const std::string& name : split(names, ",")) add_library(name);
    });
    value({"Xlinker", "linker-options"}, [this](const std::string& words) {
      for (const std::string& word : split(words, ",")) {
        add_link_word("-Xlinker");
        add_link_word(word);
      }
    });
    flag({"rdynamic"}, [this] { add_link_word("-rdynamic"); });
    flag({"static"}, [this] { add_link_word("-static"); });
    flag({"s"}, [this] { add_link_word("-s"); });
  }

  void describe_dependencies() {
    const auto wanted = [this](bool leaves_out_system, bool is_only_listing) {
      return [this, leaves_out_system, is_only_listing] {
        line_.dependencies.is_wanted = true;
        line_.dependencies.leaves_out_system = leaves_out_system;
        if (is_only_listing) line_.what = action::list_dependencies;
      };
    };
    flag({"M", "generate-dependencies"}, wanted(false, true));
    flag({"MM", "generate-nonsystem-dependencies"}, wanted(true, true));
    flag({"MD", "generate-dependencies-with-compile"}, wanted(false, false));
    flag({"MMD", "generate-nonsystem-dependencies-with-compile"}, wanted(true, false));
    flag({"MP", "generate-dependency-targets"},
         [this] { line_.dependencies.adds_phony_targets = true; });
    value({"MF", "dependency-output"},
          [this](const std::string& file) { line_.dependencies.file = file; });
    for (const char* name : {"MT", "MQ"})
      value({name}, [this, name](const std::string& target) {
        line_.dependencies.targets.push_back("-" + std::string(name));
        line_.dependencies.targets.push_back(target);
      });
    options_.also_called("dependency-target-name", "MT");
  }

  // Accepted and ignored: they concern GPU code or nvcc's inner workings.
  void describe_ignored_options() {
    value({"arch",
           "gpu-architecture",
           "code",
           "gpu-code",
           "gencode",
           "generate-code",
           "maxrregcount",
           "Xptxas",
           "ptxas-options",
           "Xnvlink",
           "nvlink-options",
           "Xcudafe",
           "Xfatbin",
           "fatbin-options",
           "Xarchive",
           "archive-options",
           "t",
           "threads",
           "split-compile",
           "split-compile-extended",
           "cudart",
           "cudadevrt",
           "diag-suppress",
           "diag-error",
           "diag-warn",
           "keep-dir",
           "static-global-template-stub",
           "compress-mode",
           "target-directory",
           "jump-table-density",
           "device-stack-protector",
           "arch-list"});
    flag({"lineinfo",
          "generate-line-info",
          "restrict",
          "extra-device-vectorization",
          "source-in-ptx",
          "resource-usage",
          "res-usage",
          "dlto",
          "dlink-time-opt",
          "allow-unsupported-compiler",
          "display-error-number",
          "no-display-error-number",
          "nodlink",
          "no-device-link",
          "forward-unknown-to-host-compiler",
          "forward-unknown-to-host-linker",
          "forward-unknown-opts",
          "no-compress",
          "m64",
          "no-exceptions",
          "clean-targets",
          "ewp",
          "gen-opt-lto",
          "device-entity-has-hidden-visibility"});
  }

  void describe_cc_options() {
    value({"compile-commands"}, [this](const std::string& file) {
      if (file.empty()) throw build_error("--compile-commands needs a file");
      line_.compile_commands = file;
    });
  }

  void describe_running() {
    flag({"gdb"}, [this] { line_.starts_debugger = true; });
    value({"timeout"}, [this](const std::string& seconds) {
      const bool is_number =
          !seconds.empty() && seconds.find_first_not_of("0123456789.") == std::string::npos;
      if (!is_number) throw build_error("--timeout needs a number of seconds, not " + seconds);
      line_.timeout = seconds;
    });
  }

  void describe_run_options() {
    describe_running();
    value({"workers"}, [this](const std::string& count) {
      const bool is_number = !count.empty() && count != "0" &&
                             count.find_first_not_of("0123456789") == std::string::npos;
      if (!is_number) throw build_error("--workers needs a number above 0, not " + count);
      line_.workers = count;
    });
  }

  // `--report` prints text; `--report=FILE` writes text to a file, or JSON if it ends in .json.
  void read_report_option(const std::string& body, std::size_t equals) {
    run_options& options = line_.run;
    line_.is_reported = true;
    if (equals == std::string::npos) {
      options.report_file = "";
      options.prints_report = true;
      return;
    }
    const std::string file = body.substr(equals + 1);
    if (file.empty()) throw build_error("--report= needs a file");
    if (file.ends_with(".json")) {
      options.writes_json = true;
      options.json_file = file;
    } else {
      options.report_file = file;
    }
  }

  void describe_check_options() {
    describe_running();
    line_.is_checked = true;
    describe(options_, line_.check);
  }

  void describe_profile_options() {
    describe_running();
    line_.is_profiled = true;
    value({"html"}, [this](const std::string& file) {
      if (file.empty()) throw build_error("--html needs a file");
      line_.profile.html_file = file;
    });
    value({"lines"}, [this](const std::string& count) {
      const bool is_number = !count.empty() && count.size() < 7 &&
                             count.find_first_not_of("0123456789") == std::string::npos;
      if (!is_number) throw build_error("--lines needs a whole number, not " + count);
      line_.profile.lines = std::stoul(count);
    });
  }

  // `--json` writes to standard output; `--json FILE.json`, `--json /dev/null` and `--json=FILE` to
  // a file.
  void read_json_option(const std::string& body, std::size_t equals) {
    if (which_ == command::run) line_.is_reported = true;
    bool& writes = which_ == command::check ? line_.check.writes_json
                   : which_ == command::run ? line_.run.writes_json
                                            : line_.profile.writes_json;
    std::string& file = which_ == command::check ? line_.check.json_file
                        : which_ == command::run ? line_.run.json_file
                                                 : line_.profile.json_file;
    writes = true;
    if (equals != std::string::npos)
      file = body.substr(equals + 1);
    else if (at_ < words_.size() && names_json_output(words_[at_]))
      file = words_[at_++];
  }

  // An executable file that is neither compiled nor linked.
  bool is_built_program(const std::string& word) const {
    return line_.inputs.empty() && !has_language_ && language_of_file(word) == language::linkable &&
           !is_linkable_name(word) && std::filesystem::is_regular_file(word) &&
           access(word.c_str(), X_OK) == 0;
  }

  void take_program_arguments() {
    line_.program_arguments.assign(words_.begin() + static_cast<std::ptrdiff_t>(at_), words_.end());
  }

  void read_option(const std::string& word) {
    const bool is_long = word[1] == '-';
    const std::string body = word.substr(is_long ? 2 : 1);
    const std::size_t equals = body.find('=');
    const std::string name = body.substr(0, equals);
    if (name == "json" && which_ != command::cc) return read_json_option(body, equals);
    if (name == "report" && which_ == command::run) return read_report_option(body, equals);
    if (name == "Werror" && read_nvcc_errors(word, equals)) return;
    if (const option_table::option* const found = options_.find(name)) {
      if (found->takes_value) {
        if (equals != std::string::npos) return found->act(body.substr(equals + 1));
        if (at_ >= words_.size()) throw build_error("option " + word + " needs a value");
        return found->act(words_[at_++]);
      }
      if (equals == std::string::npos) return found->act("");
    }
    if (is_long || !read_joined(body)) refuse(word);
  }

  // `-Ifolder`, `-O3`, `-Wall`, `-fPIC`: options joined with their value.
  bool read_joined(const std::string& body) {
    const std::string rest = body.substr(1);
    switch (body[0]) {
      case 'I':
      case 'D':
      case 'U':
      case 'L':
      case 'l':
      case 'O':
      case 'x':
        if (rest.empty()) return false;
        options_.find(body.substr(0, 1))->act(rest);
        return true;
      case 't':
        return rest.find_first_not_of("0123456789") == std::string::npos;
      case 'W':
        add_warning_flag("-" + body);
        return true;
      case 'g':
        line_.debug = "-" + body;
        return std::isdigit(static_cast<unsigned char>(rest[0])) || rest == "gdb" ||
               rest.starts_with("dwarf");
      case 'f':
      case 'm':
        if (rest.empty()) return false;
        add_compiler_flag("-" + body);
        return true;
      default:
        return false;
    }
  }

  // nvcc's `-Werror all-warnings` takes a value; the C++ compilers' `-Werror` does not.
  bool read_nvcc_errors(const std::string& word, std::size_t equals) {
    constexpr std::array<std::string_view, 7> kinds{"all-warnings",
                                                    "cross-execution-space-call",
                                                    "reorder",
                                                    "deprecated-declarations",
                                                    "default-stream-launch",
                                                    "ext-lambda-captures-this",
                                                    "missing-launch-bounds"};
    const auto is_kind = [&](const std::string& text) {
      const auto parts = split(text, ",");
      return !parts.empty() && std::all_of(parts.begin(), parts.end(), [&](const std::string& p) {
        return std::find(kinds.begin(), kinds.end(), p) != kinds.end();
      });
    };
    std::string given;
    if (equals != std::string::npos)
      given = word.substr(word.find('=') + 1);
    else if (at_ < words_.size() && is_kind(words_[at_]))
      given = words_[at_++];
    if (!is_kind(given)) return false;
    for (const std::string& kind : split(given, ",")) {
      if (kind == "all-warnings") line_.compiler_flags.push_back("-Werror");
      if (kind == "reorder" || kind == "deprecated-declarations")
        line_.compiler_flags.push_back("-Werror=" + kind);
    }
    return true;
  }

  void add_warning_flag(const std::string& flag) {
    constexpr std::array<std::string_view, 4> of_nvcc{
        "-Wno-deprecated-gpu-targets", "-Wdefault-stream-launch", "-Wext-lambda-captures-this",
        "-Wmissing-launch-bounds"};
    if (std::find(of_nvcc.begin(), of_nvcc.end(), flag) != of_nvcc.end()) return;
    if (flag.starts_with("-Wl,"))
      add_link_word(flag);
    else
      line_.compiler_flags.push_back(flag);
  }

  void add_compiler_flag(const std::string& flag) {
    if (flag.starts_with("-l")) return add_library(flag.substr(2));
    if (flag.starts_with("-Wl,") || flag.starts_with("-L")) return add_link_word(flag);
    if (flag == "--coverage" || flag == "-coverage" || flag == "-fprofile-arcs" ||
        flag == "-ftest-coverage")
      line_.writes_coverage = true;
    if (flag.starts_with("-fsanitize=")) line_.has_sanitizer = true;
    if (flag.starts_with("-O")) {
      if (line_.optimization.empty()) line_.optimization = flag;
      return;
    }
    if (flag.starts_with("-std=")) return set_standard(flag.substr(5));
    line_.compiler_flags.push_back(flag);
  }

  void add_library(const std::string& name) {
    for (const char* own :
         {"cudart", "cudart_static", "cudadevrt", "cuda", "nvToolsExt", "curand", "curand_static",
          "culibos", "cublas", "cublas_static", "cublasLt", "cublasLt_static"})
      if (name == own) return;  // the runtime replaces them
    if (const auto refusal = refusal_of_library(name)) throw build_error(*refusal);
    add_link_word("-l" + name);
  }

  void add_link_word(const std::string& word) { line_.link_items.push_back({false, 0, word}); }

  void add_input(const std::string& path) {
    input_file input{path, has_language_ ? language_ : language_of_file(path)};
    if (input.kind == language::linkable && !is_linkable_name(path))
      throw build_error("unknown type of input file '" + path +
                        "': expected .cu, .cpp, .c, .o, .a or .so");
    line_.link_items.push_back({true, line_.inputs.size(), ""});
    line_.inputs.push_back(input);
  }

  void set_language(const std::string& name) {
    has_language_ = true;
    if (name == "cu")
      language_ = language::cuda;
    else if (name == "c++")
      language_ = language::cpp;
    else if (name == "c")
      language_ = language::c;
    else if (name == "none")
      has_language_ = false;
    else
      throw build_error("-x " + name + ": the language must be cu, c++ or c");
  }

  // The stand-in headers need C++17, so older standards are raised to it.
  void set_standard(const std::string& name) {
    const bool is_gnu = name.starts_with("gnu++");
    const std::string year = name.substr(std::min(name.find("++") + 2, name.size()));
    const bool is_old = year == "03" || year == "98" || year == "11" || year == "14" ||
                        year == "0x" || year == "1y";
    line_.standard = is_old ? (is_gnu ? "-std=gnu++17" : "-std=c++17") : "-std=" + name;
  }

  void make_relocatable() {
    if (line_.is_relocatable) return;
    line_.is_relocatable = true;
    line_.preprocessor_flags.push_back("-D__CUDACC_RDC__=1");
  }

  [[noreturn]] void refuse(const std::string& word) const {
    throw build_error("unknown option " + word +
                      (which_ != command::cc ? "; put the program's own options after --" : ""));
  }

  command which_;
  const std::vector<std::string>& words_;
  std::size_t at_ = 0;
  option_table options_;
  command_line line_;
  bool has_language_ = false;
  language language_ = language::cuda;
  bool optimization_of_device_debug_ = false;
};

}  // namespace

command_line read_command_line(command which, const std::vector<std::string>& words) {
  return reader(which, words).run();
}

}  // namespace heddle::frontend
