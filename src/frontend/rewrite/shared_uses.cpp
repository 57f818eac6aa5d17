// Replaces uses of shared variables by expressions, or captures the reference in lambdas.
#include "frontend/rewrite/shared_uses.hpp"

#include <map>

#include "frontend/rewrite/local_uses.hpp"

namespace heddle::frontend {
namespace {

class use_rewriter {
 public:
  use_rewriter(const structure& shape, edits& changes) : shape_(shape), changes_(changes) {
    for (const lambda_expression& one : shape.lambdas()) introducers_[one.body] = one.introducer;
  }

  void add(const shared_local& variable) {
    for (const std::size_t use : uses_of(shape_, variable.name, variable.from)) {
      if (is_operand_of_decltype(use))
        replace_in_decltype(use, variable);
      else if (!variable.member.empty() && (must_be_constant(use) || is_measured(use, variable)))
        changes_.replace(
            use, " ::heddle_host::shape_of<" + variable.type + ">.variables." + variable.member);
      else if (!variable.has_reference || is_in_local_class(use, variable))
        changes_.replace(use, expression_for(variable));
      else
        capture_around(use, variable);
    }
  }

  void write_captures() {
    for (const auto& [introducer, names] : captures_) {
      std::string wanted;
      for (const std::string& name : names) wanted += ", &" + name;
      const std::size_t close = shape_.partner(introducer);
      const bool is_empty = close == introducer + 1;
      changes_.insert_before(close, is_empty ? wanted.substr(2) : wanted);
    }
  }

 private:
  std::string expression_for(const shared_local& variable) const {
    return variable.member.empty()
               ? " ::heddle_host::dynamic_shared<" + variable.type + ">()"
               : " ::heddle_host::shared_slot<" + variable.type + ">()." + variable.member;
  }

  // `decltype(n)`, which would yield a reference type.
  bool is_operand_of_decltype(std::size_t use) const {
    return shape_.is(use - 1, "(") && shape_.is(use - 2, "decltype") && shape_.is(use + 1, ")");
  }

  void replace_in_decltype(std::size_t use, const shared_local& variable) {
    if (variable.member.empty()) {
      changes_.erase(use - 2, use + 2);
      changes_.insert_before(use - 2, " " + variable.type);
    } else {
      changes_.replace(use, variable.type + "::" + variable.member);
    }
  }

  // In `constexpr auto n = std::size(s)` only the type of `s` matters, but a reference that is set
  // at run time is not a constant expression.
  bool must_be_constant(std::size_t use) const {
    const std::size_t start = statement_around(shape_, use);
    if (shape_.is(start, "static_assert")) return true;
    if (start > 1 && shape_.is(start - 1, "(") && shape_.is(start - 2, "constexpr")) return true;
    for (std::size_t i = start; i < use; ++i) {
      if (shape_.is(i, "=") || shape_.is(i, "(") || shape_.is(i, "{")) return false;
      if (shape_.is(i, "constexpr")) return !shape_.is(i + 1, "(");
    }
    return false;
  }

  // `std::size(s)` of an array, which may be a bound or a template argument.
  bool is_measured(std::size_t use, const shared_local& variable) const {
    return shape_.is(variable.name + 1, "[") && shape_.is(use - 1, "(") &&
           shape_.is(use - 2, "size") && shape_.is(use - 3, "::") && shape_.is(use - 4, "std") &&
           shape_.is(use + 1, ")");
  }

  // A local class cannot use the variables of the function around it.
  bool is_in_local_class(std::size_t use, const shared_local& variable) const {
    const std::uint32_t home = shape_.scope_index(variable.name);
    for (std::uint32_t i = shape_.scope_index(use); i != nowhere && i != home;
         i = shape_.scopes()[i].parent)
      if (shape_.scopes()[i].kind == scope_kind::type) return true;
    return false;
  }

  // A lambda need not capture a shared variable in CUDA, but must capture the reference to it.
  void capture_around(std::size_t use, const shared_local& variable) {
    const std::uint32_t home = shape_.scope_index(variable.name);
    for (std::uint32_t i = shape_.scope_index(use); i != nowhere && i != home;
         i = shape_.scopes()[i].parent) {
      const scope& around = shape_.scopes()[i];
      if (around.kind != scope_kind::lambda) continue;
      const auto found = introducers_.find(around.open);
      if (found != introducers_.end() && !captures_all_by_reference(found->second))
        add_capture(found->second, std::string(shape_.at(variable.name).text));
    }
  }

  bool captures_all_by_reference(std::size_t introducer) const {
    return shape_.is(introducer + 1, "&") &&
           (introducer + 2 == shape_.partner(introducer) || shape_.is(introducer + 2, ","));
  }

  void add_capture(std::uint32_t introducer, const std::string& name) {
    auto& names = captures_[introducer];
    for (const std::string& known : names)
      if (known == name) return;
    names.push_back(name);
  }

  const structure& shape_;
  edits& changes_;
  std::map<std::uint32_t, std::uint32_t> introducers_;  // of each lambda's body
  std::map<std::uint32_t, std::vector<std::string>> captures_;
};

}  // namespace

void rewrite_shared_uses(const structure& shape, edits& changes,
                         const std::vector<shared_local>& locals) {
  if (locals.empty()) return;
  use_rewriter rewriter(shape, changes);
  for (const shared_local& one : locals) rewriter.add(one);
  rewriter.write_captures();
}

}  // namespace heddle::frontend
