// The basic blocks of a program, found by the call that the compiler inserts at the start of each.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include <heddle_host/ran_code.hpp>

#include "report/check/program_file.hpp"

namespace heddle_report {

// Instructions that execute in sequence.
struct code_piece {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// A basic block as the compiler saw it when it inserted the call. Later passes may have split it
// into several pieces.
struct code_block {
  std::uint64_t begin = 0;
  bool ran = false;  // in a lane
  bool ran_on_host = false;
  std::vector<code_piece> pieces;
  std::vector<direct_call> calls;  // without the inserted call
};

struct function_blocks {
  std::vector<code_block> blocks;
  bool ran = false;  // true if any block ran in a lane
  bool ran_on_host = false;
};

using blocks_by_function = std::map<const code_symbol*, function_blocks>;

// The functions that have blocks, and where their blocks begin.
blocks_by_function find_blocks(const program_file& program, const heddle_host::ran_module& marks);

// Fills in the pieces and calls of the blocks from the instructions.
void read_blocks(const program_file& program, const code_symbol& function, function_blocks& blocks);

// The functions that lanes ran, and the functions that these call. Fills in the pieces and calls of
// their blocks from the instructions.
std::vector<const function_blocks*> functions_of_lanes(const program_file& program,
                                                       blocks_by_function& all);

}  // namespace heddle_report
