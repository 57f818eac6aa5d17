// Turns the marks that lanes leave in basic blocks into source lines.
#pragma once
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "checker/hooks/ran_code.hpp"
#include "report/check/code_lines.hpp"
#include "report/check/never_ran.hpp"

namespace heddle_report {

// The marks of all runs of a program and its shared libraries.
class ran_lines {
 public:
  // Skips a file that cannot be read.
  void add(const heddle_checker::ran_module& what);
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
