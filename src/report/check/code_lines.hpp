// Maps ranges of code to lines of the user's files, using the debug information of a program file.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/check/source_roots.hpp"

namespace heddle_report {

// A path and a line number.
using line_of_file = std::pair<std::string, int>;

class code_lines {
 public:
  // Without debug information there are no lines. Code begins at `first`: debug information puts
  // functions that the linker removed below it.
  code_lines(const std::filesystem::path& program, std::uint64_t first);

  // The lines of [begin, end), including the call sites of inlined functions. Code without a line
  // of its own has that of the code before it, which may be in another block: `only_new` leaves out
  // a line that began before `begin`.
  [[nodiscard]] std::set<line_of_file> lines_of(std::uint64_t begin, std::uint64_t end,
                                                bool only_new) const;
  // The lines of [begin, end) in any file, including the call sites of inlined functions.
  [[nodiscard]] std::set<line_of_file> all_lines_of(std::uint64_t begin, std::uint64_t end) const;
  // Whether the instruction itself came from one of the user's files.
  [[nodiscard]] bool is_of_user(std::uint64_t address) const;
  // The user's line that the instruction came from, or else the user's innermost call into the
  // library function that was inlined there.
  [[nodiscard]] std::optional<line_of_file> users_line(std::uint64_t address) const;
  // The instruction's own line; nullopt if it is in heddle's runtime or stand-in headers.
  [[nodiscard]] std::optional<line_of_file> own_line(std::uint64_t address) const;
  // All lines that have code.
  [[nodiscard]] std::set<line_of_file> with_code() const;

 private:
  struct unit_reader;

  // Code in [begin, end) and its line, or the call site that it was inlined at.
  struct stretch {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::size_t file = 0;
    int line = 0;
  };
  struct source_file {
    std::string path;
    file_owner owner;
  };

  [[nodiscard]] bool is_users(const stretch& one) const {
    return files_[one.file].owner == file_owner::user;
  }
  [[nodiscard]] line_of_file name_of(const stretch& one) const {
    return {files_[one.file].path, one.line};
  }
  // The first row that ends after the address.
  [[nodiscard]] std::vector<stretch>::const_iterator row_at(std::uint64_t address) const;
  void add_lines(const stretch& row, std::uint64_t address, std::set<line_of_file>& lines) const;

  std::vector<source_file> files_;
  std::vector<stretch> rows_;     // sorted by address, disjoint
  std::vector<stretch> inlined_;  // sorted by begin, nested
  std::uint64_t longest_inlined_ = 0;
};

}  // namespace heddle_report
