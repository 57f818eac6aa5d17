// From an instruction to the line of the source that it came from.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace heddle_report {

struct source_line {
  std::string file;
  int line = 0;
  int column = 0;         // in `text`, from 1; 0: not known
  std::string text = {};  // of that line, without leading blanks; empty if there is no such file
  std::string function = {};  // that the line is in, as `heddle::block::reduce`; empty: not known
};

// The line of an instruction and those of the inlined calls that led there, innermost first: from
// what is none of the machine's to the first of the user's, if there is one.
using call_chain = std::vector<source_line>;
call_chain find_call_chain(const void* code, bool is_return_address);

// The innermost of them. `is_return_address`: the call just before is meant.
std::optional<source_line> find_source_line(const void* code, bool is_return_address);

// The place with its file's whole path and the text of the line.
source_line with_text(source_line where);

// Of the user or of a library: false for the runtime's files and the C library's.
bool is_of_program(const source_line& line);

// False for heddle's files, for those in the compiler's include folders and for the C library's
// start of a program.
bool is_of_user(const source_line& line);

}  // namespace heddle_report
