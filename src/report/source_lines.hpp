// From an instruction to the line of the source that it came from.
#pragma once
#include <optional>
#include <string>

namespace heddle_report {

struct source_line {
  std::string file;
  int line = 0;
  std::string text;  // of that line, without leading blanks; empty if the file is not there
};

// The line of the user's own code at `code` of this process: frames that were inlined from the
// stand-in headers are passed over. `is_return_address`: the call just before is meant.
std::optional<source_line> find_source_line(const void* code, bool is_return_address);

// The place with its file's whole path and the text of the line.
source_line with_text(source_line where);

// False for the machine's own files, for system headers and for the C library's start of a program.
bool is_of_user(const source_line& line);

}  // namespace heddle_report
