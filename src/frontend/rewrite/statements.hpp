// The statements of a function's body as a tree.
#pragma once
#include <vector>

#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

enum class statement_kind : std::uint8_t {
  simple,  // a declaration or an expression
  barrier,
  shared,  // declares shared variables
  group,   // only names a cooperative group of the whole block
  compound,
  branch,  // if, with its one or two statements
  for_loop,
  while_loop,
  do_loop,
  jump,  // break, continue, return
};

struct statement {
  statement_kind kind = statement_kind::simple;
  std::size_t from = 0;  // first token
  std::size_t to = 0;    // one past the last
  token_range first{};   // of `for (first; condition; step)`
  token_range condition{};
  token_range step{};
  std::vector<statement> parts;
};

// For a body that a code_reader has accepted.
statement read_statements(const structure& shape, const scope& function);

bool holds(const statement& whole, statement_kind kind);  // itself, or a part of a part

}  // namespace heddle::frontend
