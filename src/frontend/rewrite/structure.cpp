// Finds the structure of a file: pairs brackets and classifies braces.
#include "frontend/rewrite/structure.hpp"

#include <algorithm>
#include <array>

namespace heddle::frontend {
namespace {

bool is_type_keyword(const token& t) {
  return t.is("class") || t.is("struct") || t.is("union") || t.is("enum");
}

bool is_attribute_word(const token& t) {
  return t.is("__attribute__") || t.is("__attribute") || t.is("alignas") || t.is("_Alignas") ||
         t.is("__heddle_launch_bounds__") || t.is("__heddle_cluster_dims__") || t.is("decltype") ||
         t.is("__typeof__") || t.is("typeof") || t.is("__declspec") || t.is("explicit") ||
         t.is("noexcept") || t.is("throw") || t.is("requires");
}

bool is_function_marker(const token& t) {
  return t.is("__heddle_global__") || t.is("__heddle_device__") || t.is("__heddle_host__") ||
         t.is("__heddle_constant__") || t.is("__heddle_managed__") ||
         t.is("__heddle_launch_bounds__") || t.is("__heddle_cluster_dims__");
}

std::vector<std::uint32_t> paired_brackets(const token_list& list) {
  const auto& tokens = list.tokens;
  std::vector<std::uint32_t> partner(tokens.size(), nowhere);
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != token_kind::punctuation || tokens[i].text.size() != 1) continue;
    const char c = tokens[i].text[0];
    if (c == '(' || c == '[' || c == '{') {
      open.push_back(i);
    } else if (c == ')' || c == ']' || c == '}') {
      const char wanted = c == ')' ? '(' : c == ']' ? '[' : '{';
      // A stray bracket is the user's error, which the compiler will report. Here we only recover.
      auto found = std::find_if(open.rbegin(), open.rend(),
                                [&](std::uint32_t k) { return tokens[k].text[0] == wanted; });
      if (found == open.rend()) continue;
      partner[i] = *found;
      partner[*found] = i;
      open.erase(std::prev(found.base()), open.end());
    }
  }
  return partner;
}

}  // namespace

structure::structure(const token_list& list)
    : list_(list), partner_(paired_brackets(list)), angles_(list, partner_) {
  find_lambdas();
  find_scopes();
}

std::size_t structure::after_angles(std::size_t index) const {
  const std::size_t close = angles_.close_of(index);
  return close == static_cast<std::size_t>(-1) ? index + 1 : close + 1;
}

std::size_t structure::launch_end(std::size_t configuration) const {
  const std::size_t end = angles_.launch_end(configuration);
  return end == static_cast<std::size_t>(-1) ? nowhere : end;
}

std::vector<token_range> structure::split_at_commas(std::size_t open, std::size_t close) const {
  std::vector<token_range> parts;
  std::size_t start = open + 1;
  for (std::size_t i = start; i <= close; ++i) {
    if (i == close || is(i, ",")) {
      if (i > start) parts.push_back({start, i});
      start = i + 1;
    } else if (is(i, "(") || is(i, "{") || is(i, "[")) {
      i = after(i) - 1;
    } else if (is(i, "<") && is_name(i - 1)) {
      const std::size_t end = after_angles(i);
      if (end <= close) i = end - 1;
    }
  }
  return parts;
}

bool structure::is_lambda_introducer(std::size_t index) const {
  if (partner_[index] == nowhere || is(index + 1, "[")) return false;
  if (index == 0) return false;
  const token& before = at(index - 1);
  if (before.is("[") || before.is(")") || before.is("]") || before.is("operator")) return false;
  if (before.kind == token_kind::string || before.kind == token_kind::number) return false;
  if (before.is("delete") || before.is("new")) return false;
  if (before.kind == token_kind::identifier && !is_keyword_before_expression(before.text))
    return false;
  // `auto& [first, second] = …` is a structured binding.
  std::size_t back = index - 1;
  while (back > 0 && (at(back).is("&") || at(back).is("&&"))) --back;
  return !at(back).is("auto");
}

void structure::find_lambdas() {
  for (std::uint32_t i = 0; i < size(); ++i) {
    if (!at(i).is("[") || !is_lambda_introducer(i)) continue;
    std::size_t k = partner_[i] + 1;
    if (is(k, "<")) k = after_angles(k);
    while (k < size()) {
      const token& t = at(k);
      if (t.is("{")) {
        lambdas_.push_back({i, static_cast<std::uint32_t>(k)});
        lambda_of_body_.push_back(static_cast<std::uint32_t>(k));
        break;
      }
      if (t.is("(") || t.is("[")) {
        k = after(k);
      } else if (t.is("<") && is_name(k - 1)) {  // `-> std::pair<int, int>`
        k = after_angles(k);
      } else if (t.is(";") || t.is(")") || t.is("]") || t.is("}") || t.is(",") || t.is("=")) {
        break;
      } else {
        ++k;
      }
    }
  }
  std::sort(lambda_of_body_.begin(), lambda_of_body_.end());
}

void structure::find_scopes() {
  scope_index_.assign(size(), 0);
  scopes_.push_back({});
  std::vector<std::uint32_t> heads{0};  // one for each open scope
  std::vector<int> parentheses{0};      // `(` and `[` open inside each open scope
  std::uint32_t current = 0;
  for (std::uint32_t i = 0; i < size(); ++i) {
    scope_index_[i] = current;
    const token& t = at(i);
    if (t.kind == token_kind::identifier) {
      if (t.is("__heddle_shared__"))
        shared_markers_.push_back({i, heads.back()});
      else if (is_function_marker(t))
        function_markers_.push_back({i, heads.back()});
      continue;
    }
    if (t.kind != token_kind::punctuation) continue;
    const bool is_outside_parentheses = parentheses.back() == 0;
    if (t.is("(") || t.is("[")) {
      if (partner_[i] != nowhere) ++parentheses.back();
    } else if (t.is(")") || t.is("]")) {
      if (partner_[i] != nowhere) --parentheses.back();
    } else if (t.is(";")) {
      if (is_outside_parentheses) heads.back() = i + 1;
    } else if (t.is(":") && is_outside_parentheses) {
      const std::uint32_t head = heads.back();
      const token& first = at(std::min<std::size_t>(head, i));
      const bool is_label = head + 1 == i && first.kind == token_kind::identifier;
      if (is_label || first.is("case")) heads.back() = i + 1;
    } else if (t.is("{")) {
      if (partner_[i] == nowhere) continue;
      scope opened;
      opened.open = i;
      opened.close = partner_[i];
      opened.parent = current;
      opened.head = heads.back();
      opened.kind = classify(opened.head, i, scopes_[current]);
      mark_device(opened, scopes_[current]);
      current = static_cast<std::uint32_t>(scopes_.size());
      scopes_.push_back(opened);
      heads.push_back(i + 1);
      parentheses.push_back(0);
    } else if (t.is("}")) {
      if (current == 0 || scopes_[current].close != i) continue;
      const scope& closed = scopes_[current];
      const bool ends_statement =
          closed.kind == scope_kind::name_space || closed.kind == scope_kind::linkage ||
          closed.kind == scope_kind::function || closed.kind == scope_kind::block;
      current = closed.parent;
      scope_index_[i] = current;
      heads.pop_back();
      parentheses.pop_back();
      if (ends_statement && parentheses.back() == 0) heads.back() = i + 1;
    }
  }
}

// Distinguishes a statement expression `({ f(); })` from an initialiser `({1, 2})`.
bool structure::holds_semicolon(std::size_t brace) const {
  for (std::size_t i = brace + 1; i < partner_[brace]; ++i) {
    if (at(i).is(";")) return true;
    const bool opens = at(i).is("(") || at(i).is("[") || at(i).is("{");
    if (opens && partner_[i] != nowhere) i = partner_[i];
  }
  return false;
}

scope_kind structure::classify(std::size_t head, std::size_t brace, const scope& around) const {
  if (std::binary_search(lambda_of_body_.begin(), lambda_of_body_.end(), brace))
    return scope_kind::lambda;
  if (around.kind == scope_kind::initializer) return scope_kind::initializer;
  const bool holds_statements = around.kind == scope_kind::function ||
                                around.kind == scope_kind::lambda ||
                                around.kind == scope_kind::block;
  const token& before = at(brace == 0 ? 0 : brace - 1);
  if (!holds_statements) return classify_declaration(head, brace);
  if (head == brace) return scope_kind::block;
  if (before.is("else") || before.is("do") || before.is("try")) return scope_kind::block;
  if (before.is("(")) return holds_semicolon(brace) ? scope_kind::block : scope_kind::initializer;
  for (std::size_t i = head; i < brace && !at(i).is("="); ++i)
    if (at(i).is("(") || at(i).is("[")) {
      i = after(i) - 1;  // `for (struct node* p = …) {` defines no type
    } else if (is_type_keyword(at(i))) {
      const scope_kind kind = classify_declaration(head, brace);
      return kind == scope_kind::type ? kind : scope_kind::initializer;
    }
  if (before.is(")")) return scope_kind::block;  // `if (…) {`
  const bool ends_attribute = before.is("]") && partner_[brace - 1] != nowhere &&
                              is(partner_[brace - 1] + 1, "[");  // `if (…) [[likely]] {`
  if (ends_attribute) return scope_kind::block;
  if (before.is("constexpr") || before.is("consteval") || before.is("__extension__"))
    return scope_kind::block;
  return scope_kind::initializer;
}

bool structure::is_requires_expression(std::size_t head, std::size_t brace) const {
  std::size_t i = brace - 1;
  if (at(i).is(")")) {
    if (partner_[i] == nowhere || partner_[i] == 0) return false;
    i = partner_[i] - 1;
  }
  if (!at(i).is("requires") || i <= head) return false;
  // `requires (C<T>) {` is a clause before a body; after another `requires`, an operator or `=`, it
  // begins an expression.
  if (!at(brace - 1).is(")")) return true;
  const token& before = at(i - 1);
  return before.is("requires") || before.is("&&") || before.is("||") || before.is("!") ||
         before.is("=") || before.is("(") || before.is(",") || before.is("<");
}

std::size_t structure::after_constraint(std::size_t index) const {
  std::size_t i = index;
  while (i < size()) {
    if (is(i, "!")) ++i;
    if (is(i, "(")) {
      i = after(i);
    } else if (is(i, "requires")) {
      if (is(++i, "(")) i = after(i);
      if (is(i, "{")) i = after(i);
    } else {
      while (is(i, "::") || is_name(i)) {
        ++i;
        if (is(i, "<")) i = after_angles(i);
        if (!is(i, "::")) break;
      }
    }
    if (!is(i, "&&") && !is(i, "||")) return i;
    ++i;
  }
  return i;
}

scope_kind structure::classify_declaration(std::size_t head, std::size_t brace) const {
  if (brace > head && is_requires_expression(head, brace)) return scope_kind::initializer;
  bool has_parameters = false, has_member_initializers = false, has_arrow = false;
  bool has_type_keyword = false;
  std::size_t type_keyword = 0;
  for (std::size_t i = head; i < brace; ++i) {
    const token& t = at(i);
    if (t.is("template") && is(i + 1, "<")) {
      i = after_angles(i + 1) - 1;
    } else if (t.is("requires")) {
      i = after_constraint(i + 1) - 1;
    } else if (t.is("namespace")) {
      return scope_kind::name_space;
    } else if (t.is("extern") && i + 2 == brace && at(i + 1).kind == token_kind::string) {
      return scope_kind::linkage;
    } else if (is_type_keyword(t) && !has_type_keyword && !has_parameters) {
      has_type_keyword = true;
      type_keyword = i;
    } else if (t.is("<") && has_type_keyword && !has_parameters) {
      i = after_angles(i) - 1;  // `struct result<T(Arguments...)>` has no parameters
    } else if (t.is("operator")) {
      // Skips the operator's symbol, so that `operator=` and `operator()` do not mislead.
      while (i + 1 < brace && !at(i + 1).is("(")) ++i;
      if (is(i + 1, "(") && is(i + 2, ")") && is(i + 3, "(")) i += 2;
    } else if (t.is("=")) {
      return scope_kind::initializer;
    } else if (t.is("->")) {
      has_arrow = true;
    } else if (t.is(":")) {
      if (has_parameters)
        has_member_initializers = true;
      else if (has_type_keyword)
        return scope_kind::type;
    } else if (t.is("(") || t.is("[")) {
      const bool is_attribute = t.is("[") || (i > head && is_attribute_word(at(i - 1)));
      if (t.is("(") && !is_attribute) has_parameters = true;
      if (partner_[i] == nowhere || partner_[i] > brace) return scope_kind::initializer;
      i = partner_[i];
    } else if (t.is("{")) {
      i = partner_[i] == nowhere ? i : partner_[i];
    }
  }
  if (has_parameters) {
    if (!has_member_initializers) return scope_kind::function;
    const token& before = at(brace - 1);
    const bool initializes_member = before.kind == token_kind::identifier || before.is(">");
    return initializes_member ? scope_kind::initializer : scope_kind::function;
  }
  if (has_arrow) return scope_kind::function;
  if (has_type_keyword) {
    // `struct point p{1, 2}` declares a variable.
    std::size_t names = 0;
    for (std::size_t i = type_keyword + 1; i < brace; ++i) {
      if (at(i).is("<"))
        i = after_angles(i) - 1;
      else if (at(i).is("(") || at(i).is("["))
        i = after(i) - 1;
      else if (at(i).is("::"))
        names = 0;
      else if (at(i).kind == token_kind::identifier && !at(i).is("final") &&
               !is_attribute_word(at(i)) && !is_type_keyword(at(i)))
        ++names;
    }
    return names > 1 ? scope_kind::initializer : scope_kind::type;
  }
  return scope_kind::initializer;
}

// Whether the braces hold the host's version of a function that has two, after
// `if (::heddle_host::is_on_host())` or `…is_on_host_at_run_time())`.
bool structure::is_host_branch(const scope& opened) const {
  return opened.kind == scope_kind::block && opened.open >= 4 && is(opened.open - 1, ")") &&
         is(opened.open - 2, ")") && at(opened.open - 4).text.starts_with("is_on_host");
}

void structure::mark_device(scope& opened, const scope& around) const {
  const bool is_code = opened.kind == scope_kind::function || opened.kind == scope_kind::lambda;
  std::size_t from = opened.head;
  if (opened.kind == scope_kind::lambda)
    for (std::size_t k = lambdas_.size(); k-- > 0;)
      if (lambdas_[k].body == opened.open) {
        from = lambdas_[k].introducer;
        break;
      }
  if (is_code)
    for (std::size_t i = from; i < opened.open; ++i) {
      if (at(i).is("__heddle_global__")) opened.is_kernel = opened.is_device = true;
      if (at(i).is("__heddle_device__")) opened.is_device = true;
      if (at(i).is("__heddle_host__")) opened.is_host_too = true;
    }
  if (!opened.is_device) opened.is_device = around.is_device;
  if (is_host_branch(opened)) opened.is_device = false;
  if (!is_code) opened.is_host_too = around.is_host_too;
  if (opened.is_kernel && opened.kind == scope_kind::lambda) opened.is_kernel = false;
}

const scope* structure::scope_opened_at(std::size_t brace) const {
  // In the order of their braces, after the file, which has none.
  const auto found =
      std::lower_bound(scopes_.begin() + 1, scopes_.end(), brace,
                       [](const scope& one, std::size_t at) { return one.open < at; });
  return found != scopes_.end() && found->open == brace ? &*found : nullptr;
}

const scope* structure::function_around(std::size_t index) const {
  for (std::uint32_t i = scope_index_[index]; i != nowhere; i = scopes_[i].parent)
    if (scopes_[i].kind == scope_kind::function || scopes_[i].kind == scope_kind::lambda)
      return &scopes_[i];
  return nullptr;
}

const scope* structure::outermost_function_around(std::size_t index) const {
  const scope* outermost = nullptr;
  for (std::uint32_t i = scope_index_[index]; i != nowhere; i = scopes_[i].parent)
    if (scopes_[i].kind == scope_kind::function || scopes_[i].kind == scope_kind::lambda)
      outermost = &scopes_[i];
  return outermost;
}

bool structure::is_in_device_code(std::size_t index) const {
  return function_around(index) != nullptr && scope_of(index).is_device;
}

}  // namespace heddle::frontend
