// Finds launches: `<<<`, the matching `>>>(`, and, going backwards, the expression that names the
// kernel.
#include "frontend/rewrite/launch.hpp"

namespace heddle::frontend {
namespace {

constexpr std::size_t no_match = static_cast<std::size_t>(-1);

bool is_word(const token& t) {
  return t.kind == token_kind::identifier && !is_keyword_before_expression(t.text);
}

// Walks backwards over one postfix-expression.
class callee_finder {
 public:
  explicit callee_finder(const structure& shape) : shape_(shape) {}

  // The first token of the callee that ends just before `end`; no_match if there is none.
  std::size_t find(std::size_t end) const {
    std::size_t start = end;
    bool needs_operand = true;  // for what is before `::`, `.`, `->`, a subscript or a call
    while (needs_operand) {
      const std::size_t operand = operand_before(start, needs_operand);
      if (operand == no_match) return no_match;
      start = operand;
    }
    return start;
  }

 private:
  const token& at(std::size_t i) const { return shape_.at(i); }

  std::size_t operand_before(std::size_t end, bool& goes_on) const {
    goes_on = false;
    if (end == 0) return no_match;
    const std::size_t last = end - 1;
    if (at(last).is("]")) {
      goes_on = true;
      return open_of(last);
    }
    if (at(last).is(")")) {
      const std::size_t open = open_of(last);
      if (open == no_match || open == 0) return open;
      goes_on = is_callable_end(open - 1);
      return open;
    }
    if (at(last).is(">")) {
      const std::size_t open = angle_before(last);
      if (open == no_match) return no_match;
      goes_on = true;
      return open;
    }
    if (is_word(at(last))) return qualified_before(last, goes_on);
    return no_match;
  }

  // Extends a name backwards: `a::b::name`, `p->template name`, `::name`.
  std::size_t qualified_before(std::size_t name, bool& goes_on) const {
    std::size_t start = name;
    if (start > 0 && at(start - 1).is("template")) --start;
    if (start == 0) return start;
    const token& before = at(start - 1);
    if (before.is(".") || before.is("->")) {
      goes_on = true;
      return start - 1;
    }
    if (before.is("::")) {
      --start;
      if (start == 0) return start;
      const token& owner = at(start - 1);
      const bool is_decltype = owner.is(")") && open_of(start - 1) != no_match &&
                               open_of(start - 1) > 0 && at(open_of(start - 1) - 1).is("decltype");
      goes_on =
          is_word(owner) || (owner.is(">") && angle_before(start - 1) != no_match) || is_decltype;
    }
    return start;
  }

  // Whether an expression that is called or subscripted can end here.
  bool is_callable_end(std::size_t i) const {
    const token& t = at(i);
    if (is_word(t)) return true;
    if (t.is("]")) return true;
    if (t.is(">")) return angle_before(i) != no_match;
    if (!t.is(")")) return false;
    const std::size_t open = open_of(i);
    return open != no_match && open > 0 && !at(open - 1).is("if") && !at(open - 1).is("while") &&
           !at(open - 1).is("for") && !at(open - 1).is("switch") && !at(open - 1).is("constexpr");
  }

  std::size_t open_of(std::size_t close) const {
    const std::uint32_t open = shape_.partner(close);
    return open == nowhere ? no_match : open;
  }

  // The `<` of the template arguments that end at `close`. It follows a name. If several could end
  // there, it is the first: in `k<n < 4>` the second is a comparison.
  std::size_t angle_before(std::size_t close) const {
    std::size_t first = no_match;
    for (std::size_t i = close; i-- > 1;) {
      const token& t = at(i);
      if (t.is("<")) {
        if (at(i - 1).kind == token_kind::identifier && shape_.after_angles(i) == close + 1)
          first = i;
      } else if (t.is(")") || t.is("]") || t.is("}")) {
        const std::size_t open = open_of(i);
        if (open == no_match) break;
        i = open;
      } else if (t.is(";") || t.is("{") || t.is("(") || t.is("[")) {
        break;
      }
    }
    return first;
  }

  const structure& shape_;
};

}  // namespace

void rewrite_launches(const structure& shape, edits& changes) {
  const callee_finder finder(shape);
  for (std::size_t i = 1; i + 1 < shape.size(); ++i) {
    if (!shape.at(i).is("<<") || !shape.at(i + 1).is("<") || shape.at(i - 1).is("operator"))
      continue;
    launch_site site{};
    site.callee_end = i;
    site.configuration = i + 2;
    site.configuration_end = shape.launch_end(site.configuration);
    if (site.configuration_end == nowhere) {
      changes.add_diagnostic(i, "this `<<<` has no matching `>>>(…)`");
      continue;
    }
    site.arguments = site.configuration_end + 3;
    site.end = shape.after(site.arguments);
    site.callee = finder.find(i);
    if (site.callee == no_match || shape.partner(site.arguments) == nowhere) {
      changes.add_diagnostic(i, "cannot find the kernel's name before this `<<<`");
      continue;
    }
    changes.add_launch(site);
  }
}

}  // namespace heddle::frontend
