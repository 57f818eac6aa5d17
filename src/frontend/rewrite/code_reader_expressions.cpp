// Reads expressions: which names they use, what they load, and which variables they change.
#include <algorithm>
#include <array>

#include "frontend/rewrite/block_groups.hpp"
#include "frontend/rewrite/code_reader.hpp"
#include "frontend/rewrite/plain_names.hpp"

namespace heddle::frontend {
namespace {

bool is_assignment(const token& t) {
  constexpr std::array<std::string_view, 13> spellings{
      "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"};
  return t.is_one_of(spellings);
}

// The lexer splits `>>=` into `>` and `>=`.
bool is_shift_assignment(const structure& shape, std::size_t at) {
  return shape.is(at, ">=") && shape.is(at - 1, ">") && shape.at(at).prefix.empty();
}

bool is_plain_operator(const token& t) {
  constexpr std::array<std::string_view, 34> spellings{
      "->", "+",  "-",  "*",  "/", "%", "&", "|", "^", "~", "!", "<", ">", "<=", ">=", "==", "!=",
      "&&", "||", "<<", ">>", "?", ":", ",", ".", "(", ")", "[", "]", "{", "}",  "=",  "+=", "-="};
  return t.is_one_of(spellings) || is_assignment(t);
}

bool is_cast(const token& t) { return t.is("static_cast") || t.is("reinterpret_cast"); }

bool divides(const token& t) { return t.is("/") || t.is("%") || t.is("/=") || t.is("%="); }

bool branches(const token& t) { return t.is("?") || t.is("&&") || t.is("||"); }

bool is_value_keyword(const token& t) {
  return t.is("true") || t.is("false") || t.is("nullptr") || t.is("__null") || t.is("sizeof");
}

}  // namespace

// Whether `*`, `&` or `-` has no left operand.
bool code_reader::is_unary(std::size_t at) const {
  const token& before = shape_.at(at - 1);
  if (before.is(")")) {
    // After a cast: `(float)*p`.
    const std::size_t open = shape_.partner(at - 1);
    if (open == nowhere) return true;
    if (open + 2 == at) return false;  // a call
    for (std::size_t i = open + 1; i + 1 < at; ++i)
      if (!is_type_word(i) && !shape_.is(i, "*")) return false;
    return true;
  }
  if (before.is("]")) return false;
  if (before.kind == token_kind::identifier) return before.is("return") || before.is("else");
  return before.kind == token_kind::punctuation;
}

bool code_reader::is_loaded_name(std::size_t at) const {
  if (!shape_.is_name(at) || is_member(at)) return false;
  const variable* const used = find(shape_.at(at).text);
  return used != nullptr && loaded_.count(used->declared) != 0;
}

bool code_reader::holds_loaded_name(std::size_t from, std::size_t to) const {
  for (std::size_t i = from; i < to; ++i)
    if (is_loaded_name(i)) return true;
  return false;
}

// `f(` or `f<3>(`. A function of the program hides CUDA's function of the same name.
bool code_reader::is_pure_call(std::size_t name) const {
  const auto own = judge_(shape_.at(name).text);
  return own ? own->is_pure : find_known_function(shape_.at(name).text) == known_function::pure;
}

bool code_reader::holds_load(std::size_t from, std::size_t to) const {
  for (std::size_t i = from; i < to; ++i) {
    if (shape_.is(i, "[") || shape_.is(i, "->") || (shape_.is(i, "*") && is_unary(i))) return true;
    if (!shape_.is_name(i) || is_member(i)) continue;
    const std::string_view name = shape_.at(i).text;
    if (find(name) != nullptr) continue;
    if (memory_.count(name) != 0) return true;
    if (shape_.is(i + 1, "(") && !is_type_word(i) && !is_pure_call(i)) return true;
  }
  return false;
}

bool code_reader::read_expression(std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to && is_independent_; ++i) {
    const token& t = shape_.at(i);
    if (t.kind == token_kind::number) {
      if (t.text.find('_') != std::string_view::npos) fail();  // a user-defined literal
    } else if (t.kind == token_kind::identifier) {
      read_name(i, to);
    } else if (t.kind == token_kind::punctuation) {
      if (!is_plain_operator(t)) fail();
      if (t.is("[")) read_subscript(i);
      if (t.is("->")) {
        is_pure_ = false;
        if (!shape_.is_name(i - 1) || is_member(i - 1) || is_loaded_name(i - 1)) note_decision(i);
      }
      if (t.is("*") && is_unary(i)) {
        is_pure_ = false;
        const std::size_t end = shape_.is(i + 1, "(") ? shape_.after(i + 1) : i + 2;
        if (depends_on_load(i + 1, std::min(end, to))) note_decision(i);
      }
      if (t.is("&") && is_unary(i)) {
        // If its address is taken, a variable may change unnoticed.
        const variable* const whose = shape_.is_name(i + 1) ? find(shape_.at(i + 1).text) : nullptr;
        if (whose == nullptr || !whose->is_memory || !shape_.is(i + 2, "[")) fail();
      }
      if (divides(t) && shape_.at(i + 1).kind != token_kind::number) {
        is_pure_ = false;
        if (depends_on_load(from, to)) note_decision(i);
      }
    } else if (t.kind != token_kind::character) {
      fail();
    }
  }
  if (!is_independent_) return true;
  const bool is_loaded = depends_on_load(from, to);
  note_branches(from, to, is_loaded);
  note_changes(from, to, is_loaded);
  return is_loaded;
}

// Of `c ? a[i] : b[i]`, only one operand is loaded.
void code_reader::note_branches(std::size_t from, std::size_t to, bool is_loaded) {
  if (!is_loaded) return;
  for (std::size_t i = from; i < to; ++i)
    if (branches(shape_.at(i))) {
      if (holds_load(i, to)) note_decision(i);
      return;
    }
}

void code_reader::read_name(std::size_t at, std::size_t to) {
  const std::string_view name = shape_.at(at).text;
  if (is_member(at)) {
    if (shape_.is(at + 1, "(") && group_uses_.count(at - 2) == 0) fail();
    return;
  }
  if (const variable* const used = find(name)) {
    if (shape_.is(at + 1, "(")) fail();
    if (used->is_group) return read_group_use(at);
    if (used->is_memory) is_pure_ = false;
    uses_[at] = used->declared;
    return;
  }
  if (is_built_in_variable(name)) {
    const bool is_member =
        shape_.is(at + 1, ".") && at + 2 < to &&
        (shape_.is(at + 2, "x") || shape_.is(at + 2, "y") || shape_.is(at + 2, "z"));
    const bool is_changed = shape_.is(at - 1, "++") || shape_.is(at - 1, "--") ||
                            is_assignment(shape_.at(at + 3)) || is_shift_assignment(shape_, at + 4);
    if (!allows_built_ins_ || !is_member || is_changed) fail();
    built_ins_.insert(at);
    return;
  }
  if (is_vector_type(name)) names_vectors_ = true;
  if (is_type_word(at) || constants_.count(name) != 0) return;
  if (is_value_keyword(shape_.at(at)) || is_cast(shape_.at(at))) return;
  if (memory_.count(name) != 0) {
    is_pure_ = false;
    return;
  }
  switch (find_known_variable(shape_, name)) {
    case known_variable::constant:
      constants_.insert(name);
      return;
    case known_variable::memory:
      memory_.insert(name);
      is_pure_ = false;
      return;
    case known_variable::objects:
      names_vectors_ = true;
      memory_.insert(name);
      is_pure_ = false;
      return;
    case known_variable::vector:
    case known_variable::structure:
      names_vectors_ = true;
      types_.insert(name);
      return;
    case known_variable::type:
      types_.insert(name);
      return;
    default:
      if (shape_.is(at + 1, "(") || (shape_.is(at + 1, "<") && shape_.opens_angles(at + 1)))
        read_call(at);
      else
        fail();
  }
}

void code_reader::read_call(std::size_t at) {
  const std::string_view name = shape_.at(at).text;
  names_vectors_ |= makes_vector(name);
  if (const auto own = judge_(name)) {
    if (!own->is_independent) fail();
    names_vectors_ |= own->names_vectors;
    if (!own->is_pure) {
      is_pure_ = false;
      note_decision(at);
    }
    if (own->changed_arguments.empty()) return;
    const std::size_t open = shape_.is(at + 1, "<") ? shape_.after_angles(at + 1) : at + 1;
    if (!shape_.is(open, "(") || shape_.partner(open) == nowhere) {
      fail();
      return;
    }
    const auto arguments = shape_.split_at_commas(open, shape_.partner(open));
    for (const std::size_t changed : own->changed_arguments)
      if (changed < arguments.size()) read_changed_argument(arguments[changed]);
    return;
  }
  const known_function known = find_known_function(name);
  if (known == known_function::none) {
    fail();
    return;
  }
  if (known == known_function::pure) return;
  is_pure_ = false;
  if (depends_on_load(at + 2, shape_.after(at + 1) - 1)) note_decision(at);
}

// `x`, `v.x`, `a[i]`, `*p` or `*(p + 1)`, which a function may change.
void code_reader::read_changed_argument(const token_range& argument) {
  for (std::size_t i = argument.from; i < argument.to; ++i)
    if (shape_.is(i, "?") || shape_.is(i, ",")) fail();
  if (!is_independent_) return;
  if (shape_.is(argument.from, "*")) {
    const std::size_t end =
        shape_.is(argument.from + 1, "(") ? shape_.after(argument.from + 1) : argument.from + 2;
    if (end != argument.to) fail();
    return;
  }
  const std::size_t name = changed_name(argument.to);
  if (name == nowhere) return;  // memory
  if (name == argument.from && shape_.is_name(name))
    note_change(name, true);
  else
    fail();
}

void code_reader::read_group_use(std::size_t at) {
  if (!is_known_question(shape_, at)) fail();
  group_uses_.insert(at);
}

void code_reader::read_subscript(std::size_t open) {
  const token& before = shape_.at(open - 1);
  const bool has_array = before.is("]") || before.is(")") ||
                         (before.kind == token_kind::identifier && !before.is("return"));
  if (!has_array || shape_.partner(open) == nowhere) {
    fail();  // a lambda
    return;
  }
  is_pure_ = false;
  if (is_member(open - 1)) {
    // The pointer is a member of a variable, or of something in memory.
    const std::size_t root = changed_name(open);
    if (root == nowhere || is_loaded_name(root)) note_decision(open);
  }
  if (is_loaded_name(open - 1) || depends_on_load(open + 1, shape_.partner(open)))
    note_decision(open);
  // `a[i][j]` may load a pointer, and `(…)[i]` may compute with one.
  if (before.is("]") && !is_element_of_array(open)) note_decision(open);
  if (before.is(")") && depends_on_load(shape_.partner(open - 1), open)) note_decision(open);
}

// `tile[i][j]` of an array that the body declares: it holds values, not pointers.
bool code_reader::is_element_of_array(std::size_t open) const {
  while (shape_.is(open - 1, "]")) {
    open = shape_.partner(open - 1);
    if (open == nowhere) return false;
  }
  const bool is_name = shape_.is_name(open - 1) && !is_member(open - 1);
  const variable* const whose = is_name ? find(shape_.at(open - 1).text) : nullptr;
  return whose != nullptr && whose->is_array;
}

// The name left of an assignment at `at`: `v` of `v.x = 1`. `nowhere` if it changes memory.
std::size_t code_reader::changed_name(std::size_t at) const {
  std::size_t back = at - 1;
  while (shape_.is_name(back) && shape_.is(back - 1, ".")) back -= 2;
  const bool is_pointed_at = shape_.is_name(back) && shape_.is(back - 1, "->");
  return is_pointed_at || shape_.is(back, "]") ? nowhere : back;
}

void code_reader::note_changes(std::size_t from, std::size_t to, bool is_loaded) {
  for (std::size_t i = from; i < to; ++i) {
    const token& t = shape_.at(i);
    const bool is_shift = is_shift_assignment(shape_, i);
    if (!is_assignment(t) && !is_shift) continue;
    const bool is_step = t.is("++") || t.is("--");
    const bool is_prefix = is_step && (i == from || is_unary(i));
    const std::size_t target = is_prefix ? i + 1 : changed_name(is_shift ? i - 1 : i);
    if (target == nowhere || (is_prefix && shape_.is(target, "*"))) continue;
    if (is_prefix && (shape_.is(target + 1, "[") || shape_.is(target + 1, "->"))) continue;
    if (shape_.is(target, ")")) {
      // `*(p + 1) = x`, `(a[i]) = x` and `(*p) = x` change memory; anything else in parentheses is
      // not read.
      const std::size_t open = shape_.partner(target);
      if (open == nowhere) return void(fail());
      const bool is_pointed_at = shape_.is(open - 1, "*") && is_unary(open - 1);
      const bool is_element = shape_.is_name(open + 1) && shape_.is(open + 2, "[") &&
                              shape_.after(open + 2) == target && !shape_.is_name(open - 1);
      const bool is_pointee = shape_.is(open + 1, "*") && shape_.is_name(open + 2) &&
                              open + 3 == target && !shape_.is_name(open - 1);
      if (!is_pointed_at && !is_element && !is_pointee) fail();
    } else if (target < from || target >= to || !shape_.is_name(target)) {
      fail();
    } else if (target == from || !shape_.is(target - 1, "*") || !is_unary(target - 1)) {
      note_change(target, is_loaded);
    }
  }
}

void code_reader::note_change(std::size_t name, bool is_loaded) {
  const std::string_view text = shape_.at(name).text;
  changed_.insert(text);
  const variable* const whose = find(text);
  if (whose == nullptr) {
    if (memory_.count(text) == 0) fail();
    return;
  }
  variable_changes_[name] = whose->declared;
  for (std::size_t i = whose->conditions; i < conditions_.size(); ++i) is_loaded |= conditions_[i];
  if (is_loaded) loaded_.insert(whose->declared);
}

bool code_reader::is_repeatable(std::size_t from, std::size_t to) const {
  if (holds_load(from, to)) return false;
  const auto change = variable_changes_.lower_bound(from);
  if (change != variable_changes_.end() && change->first < to) return false;
  for (std::size_t i = from; i < to; ++i)
    if (divides(shape_.at(i)) && shape_.at(i + 1).kind != token_kind::number) return false;
  return true;
}

}  // namespace heddle::frontend
