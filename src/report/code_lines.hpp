// The lines of the user's files that a stretch of code came from, by the debug information of a
// program's file.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace heddle_report {

// A file's path and the number of a line.
using line_of_file = std::pair<std::string, int>;

class code_lines {
 public:
  // Without debug information there are no lines. The code begins at `first`: functions that the
  // linker has left out are said to lie before it.
  code_lines(const std::filesystem::path& program, std::uint64_t first);

  // Those of [begin, end), and those of the calls that were replaced by what they called. Code
  // without a line of its own has that of the code before it, which may be another block's: with
  // `only_new`, a line that has begun before is left out.
  [[nodiscard]] std::set<line_of_file> lines_of(std::uint64_t begin, std::uint64_t end,
                                                bool only_new) const;
  // Whether the instruction came from one of the user's files itself.
  [[nodiscard]] bool is_of_user(std::uint64_t address) const;
  // All lines that have code.
  [[nodiscard]] std::set<line_of_file> with_code() const;

 private:
  struct unit_reader;

  // Code from `begin` to `end` with the line that it came from, or the call that it was put in for.
  struct stretch {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::size_t file = 0;
    int line = 0;
  };
  struct source_file {
    std::string path;
    bool is_of_user;
  };

  [[nodiscard]] bool is_users(const stretch& one) const { return files_[one.file].is_of_user; }
  [[nodiscard]] line_of_file name_of(const stretch& one) const {
    return {files_[one.file].path, one.line};
  }
  // The first row that ends after the address.
  [[nodiscard]] std::vector<stretch>::const_iterator row_at(std::uint64_t address) const;
  void add_lines(const stretch& row, std::uint64_t address, std::set<line_of_file>& lines) const;

  std::vector<source_file> files_;
  std::vector<stretch> rows_;     // by address; they do not overlap
  std::vector<stretch> inlined_;  // by begin; they contain each other
  std::uint64_t longest_inlined_ = 0;
};

}  // namespace heddle_report
