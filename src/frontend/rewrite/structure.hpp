// The structure of a file: which brackets pair up, what braces contain, and which code is device
// code.
#pragma once
#include <cstdint>
#include <vector>

#include "frontend/rewrite/angles.hpp"
#include "frontend/rewrite/token.hpp"

namespace heddle::frontend {

inline constexpr std::uint32_t nowhere = 0xffffffff;

enum class scope_kind : std::uint8_t {
  file,
  name_space,
  linkage,  // extern "C" { … }
  type,     // class, struct, union, enum
  function,
  lambda,
  block,
  initializer,  // { 1, 2 } and other braces without statements
};

struct scope {
  scope_kind kind = scope_kind::file;
  std::uint32_t open = nowhere;   // the `{`
  std::uint32_t close = nowhere;  // the `}`
  std::uint32_t parent = nowhere;
  std::uint32_t head = 0;  // first token of the declaration or statement that owns the braces
  bool is_device = false;  // its code runs in lanes
  bool is_kernel = false;
  bool is_host_too = false;  // marked `__host__` as well
};

// A token that only the frontend understands, and the beginning of its declaration.
struct marker {
  std::uint32_t at;
  std::uint32_t head;
};

struct lambda_expression {
  std::uint32_t introducer;  // the `[`
  std::uint32_t body;        // the `{`
};

class structure {
 public:
  explicit structure(const token_list& list);
  structure(const structure&) = delete;
  structure& operator=(const structure&) = delete;

  const token_list& list() const { return list_; }
  const token& at(std::size_t index) const { return list_.tokens[index]; }
  std::size_t size() const { return list_.tokens.size(); }
  bool is(std::size_t index, std::string_view spelling) const {
    return index < size() && at(index).is(spelling);
  }
  bool is_name(std::size_t index) const {
    return index < size() && at(index).kind == token_kind::identifier;
  }

  // The other bracket of a pair; `nowhere` if it has none.
  std::uint32_t partner(std::size_t index) const { return partner_[index]; }
  // The first token after the pair that opens at `index`.
  std::size_t after(std::size_t index) const {
    return partner_[index] == nowhere ? size() : partner_[index] + 1;
  }
  // The first token after the template brackets that open at `index`, or after the `<` if it is a
  // comparison.
  std::size_t after_angles(std::size_t index) const;
  bool opens_angles(std::size_t index) const { return after_angles(index) > index + 1; }
  // The first `>` of the `>>>(` that ends a launch configuration; `nowhere` if there is none.
  std::size_t launch_end(std::size_t configuration) const;
  // One past the constraint that follows the word `requires`.
  std::size_t after_constraint(std::size_t index) const;
  // Splits what is between two brackets at top-level commas: `(a, b<c, d>::e)` has two parts.
  std::vector<token_range> split_at_commas(std::size_t open, std::size_t close) const;

  const std::vector<scope>& scopes() const { return scopes_; }
  const scope& scope_of(std::size_t index) const { return scopes_[scope_index_[index]]; }
  std::uint32_t scope_index(std::size_t index) const { return scope_index_[index]; }
  // The scope that a `{` opens; null if it opens none.
  const scope* scope_opened_at(std::size_t brace) const;
  // The function or lambda around a token; null if there is none.
  const scope* function_around(std::size_t index) const;
  // The outermost function around a token; null if there is none.
  const scope* outermost_function_around(std::size_t index) const;
  bool is_in_device_code(std::size_t index) const;
  std::string_view file_of(std::size_t index) const { return list_.files[at(index).file].name; }
  bool is_in_user_file(std::size_t index) const { return !list_.files[at(index).file].is_system; }

  const std::vector<marker>& shared_markers() const { return shared_markers_; }
  const std::vector<marker>& function_markers() const { return function_markers_; }
  const std::vector<lambda_expression>& lambdas() const { return lambdas_; }

 private:
  void find_lambdas();
  void find_scopes();
  bool is_lambda_introducer(std::size_t index) const;
  scope_kind classify(std::size_t head, std::size_t brace, const scope& around) const;
  scope_kind classify_declaration(std::size_t head, std::size_t brace) const;
  bool holds_semicolon(std::size_t brace) const;
  bool is_requires_expression(std::size_t head, std::size_t brace) const;
  bool is_host_branch(const scope& opened) const;
  void mark_device(scope& opened, const scope& around) const;

  const token_list& list_;
  std::vector<std::uint32_t> partner_;
  angle_reader angles_;
  std::vector<scope> scopes_;
  std::vector<std::uint32_t> scope_index_;
  std::vector<marker> shared_markers_;
  std::vector<marker> function_markers_;
  std::vector<lambda_expression> lambdas_;
  std::vector<std::uint32_t> lambda_of_body_;  // sorted `{` of lambda bodies
};

}  // namespace heddle::frontend
