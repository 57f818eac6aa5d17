// Follows the grammar of statements. code_reader has checked that there is nothing else.
#include "frontend/rewrite/statements.hpp"

#include <algorithm>

#include "frontend/rewrite/block_groups.hpp"
#include "frontend/rewrite/code_reader.hpp"

namespace heddle::frontend {
namespace {

class statement_reader {
 public:
  explicit statement_reader(const structure& shape) : shape_(shape) {}

  statement read(std::size_t at) const {
    statement made;
    made.from = at;
    if (shape_.is(at, "{")) {
      made.kind = statement_kind::compound;
      for (std::size_t i = at + 1; i < shape_.partner(at); i = made.parts.back().to)
        made.parts.push_back(read(i));
      made.to = shape_.after(at);
    } else if (shape_.is(at, "if")) {
      made.kind = statement_kind::branch;
      read_condition(made, shape_.is(at + 1, "constexpr") ? at + 2 : at + 1);
      if (shape_.is(made.to, "else")) add_part(made, made.to + 1);
    } else if (shape_.is(at, "while")) {
      made.kind = statement_kind::while_loop;
      read_condition(made, at + 1);
    } else if (shape_.is(at, "for")) {
      made.kind = statement_kind::for_loop;
      const std::size_t close = shape_.partner(at + 1);
      made.first = {at + 2, end_of_simple(at + 2)};
      made.condition = {made.first.to + 1, end_of_simple(made.first.to + 1)};
      made.step = {made.condition.to + 1, close};
      add_part(made, close + 1);
    } else if (shape_.is(at, "do")) {
      made.kind = statement_kind::do_loop;
      add_part(made, at + 1);
      made.condition = {made.to + 2, shape_.partner(made.to + 1)};
      made.to = made.condition.to + 2;
    } else {
      const bool jumps =
          shape_.is(at, "return") || shape_.is(at, "break") || shape_.is(at, "continue");
      made.kind = jumps                         ? statement_kind::jump
                  : is_barrier(shape_, at)      ? statement_kind::barrier
                  : names_groups(shape_, at)    ? statement_kind::group
                  : declares_shared(shape_, at) ? statement_kind::shared
                                                : statement_kind::simple;
      made.to = end_of_simple(at) + 1;
    }
    return made;
  }

 private:
  void read_condition(statement& made, std::size_t open) const {
    made.condition = {open + 1, shape_.partner(open)};
    add_part(made, shape_.after(open));
  }

  void add_part(statement& made, std::size_t at) const {
    made.parts.push_back(read(at));
    made.to = made.parts.back().to;
  }

  // The `;`.
  std::size_t end_of_simple(std::size_t at) const {
    while (!shape_.is(at, ";")) {
      const bool opens = shape_.is(at, "(") || shape_.is(at, "[") || shape_.is(at, "{");
      at = opens ? shape_.after(at) : at + 1;
    }
    return at;
  }

  const structure& shape_;
};

}  // namespace

statement read_statements(const structure& shape, const scope& function) {
  return statement_reader(shape).read(function.open);
}

bool holds(const statement& whole, statement_kind kind) {
  return whole.kind == kind ||
         std::any_of(whole.parts.begin(), whole.parts.end(),
                     [kind](const statement& part) { return holds(part, kind); });
}

}  // namespace heddle::frontend
