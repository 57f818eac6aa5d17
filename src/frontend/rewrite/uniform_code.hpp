// Finds what all lanes of a block compute alike: variables with the same value in each lane, and
// statements that each lane executes equally often.
#pragma once
#include <map>
#include <set>

#include "frontend/rewrite/code_reader.hpp"
#include "frontend/rewrite/statements.hpp"
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

class uniform_code {
 public:
  // `strides`: the ends of loops whose step is not constant. `body`: as `reader` has read it.
  uniform_code(const structure& shape, const code_reader& reader,
               const std::set<std::size_t>& strides, const statement& body);

  // Whether lanes may have different values of the variable that is declared at this token.
  bool varies(std::size_t declared) const { return varying_.count(declared) != 0; }
  const std::set<std::size_t>& varying() const { return varying_; }
  // Whether the expression or declaration has the same effect in each lane.
  bool is_uniform(const token_range& range) const;
  // Whether a block can execute the statement once instead of once for each lane, provided that it
  // does so with the statements around it. Of a loop or a branch, this concerns the decisions only.
  bool is_common(const statement& one) const;
  // Whether nothing in the range depends on a loaded value, except the results.
  bool is_predictable(const statement& one) const;
  bool has_decision(std::size_t from, std::size_t to) const;
  // Whether the loop's step is among `strides`.
  bool strides(const statement& loop) const { return strides_.count(loop.step.to) != 0; }

 private:
  void walk(const statement& one, bool is_common);
  void note(const token_range& range, bool is_uniform);
  bool is_common_loop(const statement& loop) const;
  bool leaves_unevenly(const statement& one, bool is_even, bool is_nested) const;
  bool changes_variable(const token_range& range) const;

  const structure& shape_;
  const code_reader& reader_;
  const std::set<std::size_t>& strides_;
  std::set<std::size_t> varying_;
};

// The names that a declaration declares; none if the range is an expression.
std::vector<std::size_t> declared_names(const structure& shape, const code_reader& reader,
                                        const token_range& range);

}  // namespace heddle::frontend
