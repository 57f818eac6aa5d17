// The basic blocks of a program, by the calls that the compiler has put at their begins.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "checker/hooks/ran_code.hpp"
#include "report/program_file.hpp"

namespace heddle_report {

// Code in which control goes from one instruction to the next.
struct code_piece {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// What the compiler had as a basic block when it put a call at its begin. It may be in several
// pieces by now.
struct code_block {
  std::uint64_t begin = 0;
  bool ran = false;
  std::vector<code_piece> pieces;
  std::vector<direct_call> calls;  // without the first
};

struct function_blocks {
  std::vector<code_block> blocks;
  bool ran = false;  // one of them at least
};

using blocks_by_function = std::map<const code_symbol*, function_blocks>;

// The functions that have blocks, and where these begin.
blocks_by_function find_blocks(const program_file& program,
                               const heddle_checker::ran_module& marks);

// Functions that lanes have run, and those that are called there, with all of their blocks. What
// the compiler has made of a block is read from its instructions.
std::vector<const function_blocks*> functions_of_lanes(const program_file& program,
                                                       blocks_by_function& all);

}  // namespace heddle_report
