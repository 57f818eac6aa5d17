// Turns the marks that lanes leave in basic blocks into source lines.
#pragma once
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <heddle_host/ran_code.hpp>

#include "report/check/code_lines.hpp"
#include "report/check/never_ran.hpp"

namespace heddle_report {

// The signature of the kernel whose lanes a function of the runtime runs: `scale(float*)` for
// `void heddle_host::run_lane<scale(float*)::{lambda()#1}>(void const*)`. Empty for all other
// functions. The argument is the mangled name.
std::string kernel_run_by(std::string_view function);

// A function's demangled signature; empty if the name is not mangled.
std::string demangled(std::string_view name);

// Calls `visit` for each file of marks in a folder.
void each_module_in(const std::filesystem::path& folder,
                    const std::function<void(const heddle_host::ran_module&)>& visit);

// The marks of all runs of a program and its shared libraries.
class ran_lines {
 public:
  // Skips a file that cannot be read.
  void add(const heddle_host::ran_module& what);
  // Adds every file in a folder.
  void add_folder(const std::filesystem::path& folder);
  [[nodiscard]] never_ran result() const;

 private:
  // Lines of basic blocks. Compilers move arithmetic between blocks but not calls, so a line that
  // has calls is judged by its calls.
  struct evidence {
    std::set<line_of_file> any, calls;
  };

  bool is_known_ = false;
  // A line has run if any of its copies has: inlined, instantiated, or under another schedule.
  evidence ran_, did_not_run_;
  std::set<line_of_file> with_code_;
  std::set<std::string> kernels_;
};

// Merges successive lines into ranges, across lines without code.
std::vector<line_range> ranges_of(const std::set<line_of_file>& lines,
                                  const std::set<line_of_file>& with_code);

}  // namespace heddle_report
