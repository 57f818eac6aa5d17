// Maps an instruction to the source line that it came from.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace heddle_report {

struct source_line {
  std::string file;
  int line = 0;
  int column = 0;             // in `text`, from 1; 0: unknown
  std::string text = {};      // the line without leading blanks; empty if the file is missing
  std::string function = {};  // around it, as `heddle::block::reduce`; empty: unknown
};

// The line of an instruction and the inlined calls that led there, innermost first. Starts at the
// first line outside the runtime and stops at the first of the user's, if any.
using call_chain = std::vector<source_line>;
call_chain find_call_chain(const void* code, bool is_return_address);

// The innermost of them. `is_return_address`: look up the call just before the address.
std::optional<source_line> find_source_line(const void* code, bool is_return_address);

// Fills in the absolute path and the text of the line.
source_line with_text(source_line where);

// True for the user's and libraries' files, false for the runtime's and the C library's.
bool is_of_program(const source_line& line);

// False for heddle's files, for the compiler's include folders and for the C library's startup
// code.
bool is_of_user(const source_line& line);

}  // namespace heddle_report
