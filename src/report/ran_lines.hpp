// From the marks that lanes have left to the lines of the source.
#pragma once
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "checker/hooks/ran_code.hpp"
#include "report/code_lines.hpp"
#include "report/never_ran.hpp"

namespace heddle_report {

// What runs of a program and its shared libraries have marked, all of them together.
class ran_lines {
 public:
  // Nothing is known of a file that cannot be read.
  void add(const heddle_checker::ran_module& what);
  // All files that are in a folder.
  void add_folder(const std::filesystem::path& folder);
  [[nodiscard]] never_ran result() const;

 private:
  // Lines of basic blocks. Compilers move arithmetic from one block to another, calls they do not:
  // where a line has calls, these count.
  struct evidence {
    std::set<line_of_file> any, calls;
  };

  bool is_known_ = false;
  // A line of which any copy ran counts as run: inlined, of a template, under any schedule.
  evidence ran_, did_not_run_;
  std::set<line_of_file> with_code_;
  std::set<std::string> kernels_;
};

// Lines that follow each other make a range, also across lines without code.
std::vector<line_range> ranges_of(const std::set<line_of_file>& lines,
                                  const std::set<line_of_file>& with_code);

}  // namespace heddle_report
