// Walks over the scope of a local variable, without the parts where another declaration hides it.
#include "frontend/rewrite/local_uses.hpp"

#include <algorithm>
#include <array>

#include "frontend/rewrite/declaration.hpp"

namespace heddle::frontend {
namespace {

class use_finder {
 public:
  use_finder(const structure& shape, std::size_t name)
      : shape_(shape), name_(shape.at(name).text), end_(shape.scope_of(name).close) {
    if (end_ == nowhere) end_ = shape.size();
  }

  std::vector<std::size_t> run(std::size_t from) {
    for (std::size_t i = from; i < end_; ++i) {
      if (shape_.is(i, "{") && is_hidden_by_member(i)) {
        i = shape_.after(i) - 1;
      } else if (shape_.is(i, "[") && is_hidden_in_lambda(i)) {
        i = shape_.after(body_of_lambda_at(i)) - 1;
      } else if (shape_.is_name(i) && shape_.at(i).text == name_ && !is_member(i)) {
        if (is_declared(i))
          i = end_of_declared(i) - 1;
        else
          uses_.push_back(i);
      }
    }
    return std::move(uses_);
  }

 private:
  bool is_member(std::size_t i) const {
    return shape_.is(i - 1, ".") || shape_.is(i - 1, "->") || shape_.is(i - 1, "::") ||
           shape_.is(i + 1, "::");
  }

  // `int n`, `std::vector<int>& n`, `auto [m, n]`, or a parameter.
  bool is_declared(std::size_t i) const {
    const token& before = shape_.at(i - 1);
    if (before.kind == token_kind::identifier && !is_keyword_before_expression(before.text) &&
        ends_declarator(i + 1))
      return true;
    return is_declared_by_statement(i) || is_declared_by_range_loop(i) || is_binding(i) ||
           is_parameter_of_function(i);
  }

  bool ends_declarator(std::size_t i) const {
    constexpr std::array<std::string_view, 8> ends{";", "=", ",", ")", "[", "{", "(", ":"};
    return i < shape_.size() &&
           std::find(ends.begin(), ends.end(), shape_.at(i).text) != ends.end();
  }

  // Whether the token before it can end a type.
  bool may_follow_type(std::size_t i) const {
    constexpr std::array<std::string_view, 5> ends{"*", "&", "&&", ">", "..."};
    return shape_.is_name(i - 1) ||
           std::find(ends.begin(), ends.end(), shape_.at(i - 1).text) != ends.end();
  }

  bool is_declared_by_statement(std::size_t i) const {
    const std::size_t start = statement_around(shape_, i);
    if (start >= i || is_keyword_before_expression(shape_.at(start).text)) return false;
    const auto read = read_declaration(shape_, start);
    if (!read) return false;
    return std::any_of(read->declarators.begin(), read->declarators.end(),
                       [&](const declarator& one) {
                         if (one.name != i) return false;
                         for (std::size_t k = one.start; k < i; ++k)
                           if (!shape_.is(k, "*") && !shape_.is(k, "&") && !shape_.is(k, "&&") &&
                               !shape_.is(k, "const"))
                             return false;
                         return true;
                       });
  }

  // `for (auto& n : all)`
  bool is_declared_by_range_loop(std::size_t i) const {
    const std::size_t start = statement_around(shape_, i);
    return shape_.is(i + 1, ":") && may_follow_type(i) && start > 1 && shape_.is(start - 1, "(") &&
           shape_.is(start - 2, "for");
  }

  bool is_binding(std::size_t i) const {
    std::size_t open = i;
    while (open > 0 && (shape_.is_name(open) || shape_.is(open, ","))) --open;
    if (!shape_.is(open, "[") || open == 0) return false;
    std::size_t back = open - 1;
    while (back > 0 && (shape_.is(back, "&") || shape_.is(back, "&&"))) --back;
    return shape_.is(back, "auto");
  }

  // A parameter of a local class's function: `(float& n, …) {`.
  bool is_parameter_of_function(std::size_t i) const {
    if (!shape_.is(i + 1, ",") && !shape_.is(i + 1, ")") && !shape_.is(i + 1, "=")) return false;
    return shape_.scope_of(i).kind == scope_kind::type && may_follow_type(i);
  }

  // One past the region in which the declaration at `i` hides the variable.
  std::size_t end_of_declared(std::size_t i) const {
    for (std::size_t k = i; k-- > 0;) {
      if (shape_.is(k, ")") || shape_.is(k, "]") || shape_.is(k, "}")) {
        if (shape_.partner(k) == nowhere) break;
        k = shape_.partner(k);
      } else if (shape_.is(k, "(")) {
        return end_of_statement(shape_.after(k));  // `for (int n = 0; …) …`
      } else if (shape_.is(k, "{")) {
        break;
      }
    }
    const std::size_t close = shape_.scope_of(i).close;
    return close == nowhere ? end_ : std::max<std::size_t>(close, i + 1);
  }

  std::size_t end_of_statement(std::size_t from) const {
    for (std::size_t i = from; i < end_; ++i) {
      if (shape_.is(i, "{")) return shape_.after(i);
      if (shape_.is(i, ";") || shape_.is(i, "}")) return i + 1;
      if (shape_.is(i, "(") || shape_.is(i, "[")) i = shape_.after(i) - 1;
    }
    return end_;
  }

  bool is_hidden_by_member(std::size_t brace) const {
    const scope& opened = shape_.scope_of(std::min(brace + 1, shape_.size() - 1));
    if (opened.open != brace || opened.kind != scope_kind::type) return false;
    for (std::size_t i = brace + 1; i < opened.close; ++i) {
      if (shape_.is(i, "{") || shape_.is(i, "("))
        i = shape_.after(i) - 1;
      else if (shape_.is_name(i) && shape_.at(i).text == name_ && is_declared(i))
        return true;
    }
    return false;
  }

  std::size_t body_of_lambda_at(std::size_t introducer) const {
    for (const lambda_expression& one : shape_.lambdas())
      if (one.introducer == introducer) return one.body;
    return nowhere;
  }

  // Whether a capture or a parameter of the lambda has this name.
  bool is_hidden_in_lambda(std::size_t introducer) const {
    const std::size_t body = body_of_lambda_at(introducer);
    if (body == nowhere) return false;
    for (std::size_t i = introducer + 1; i < body; ++i) {
      if (!shape_.is_name(i) || shape_.at(i).text != name_ || is_member(i)) continue;
      if (i < shape_.partner(introducer)) {
        if (!shape_.is(i - 1, "=")) return true;  // `[n = m]`, but not `[m = n]`
      } else if (may_follow_type(i)) {
        return true;
      }
    }
    return false;
  }

  const structure& shape_;
  std::string_view name_;
  std::size_t end_;
  std::vector<std::size_t> uses_;
};

}  // namespace

std::vector<std::size_t> uses_of(const structure& shape, std::size_t name, std::size_t from) {
  return use_finder(shape, name).run(from);
}

std::size_t statement_around(const structure& shape, std::size_t index) {
  std::size_t start = index;
  while (start > 0) {
    const std::size_t before = start - 1;
    const token& t = shape.at(before);
    if (t.is(";") || t.is("{") || t.is("}")) break;
    if (t.is("(")) {
      const bool holds_statement =
          before > 0 && (shape.is(before - 1, "for") || shape.is(before - 1, "if") ||
                         shape.is(before - 1, "while") || shape.is(before - 1, "switch") ||
                         shape.is(before - 1, "constexpr"));
      if (holds_statement) break;
    }
    if ((t.is(")") || t.is("]")) && shape.partner(before) != nowhere)
      start = shape.partner(before);
    else
      start = before;
  }
  return start;
}

}  // namespace heddle::frontend
