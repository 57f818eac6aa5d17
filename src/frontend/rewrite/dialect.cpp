// What nvcc accepts and the host's compiler does not.
#include "frontend/rewrite/dialect.hpp"

namespace heddle::frontend {

bool is_inline(const token& t) { return t.is("inline") || t.is("__inline__") || t.is("__inline"); }

void remove_repeated_inline(const structure& shape, edits& changes) {
  bool is_said = false;  // the current specifiers already have one
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const token& t = shape.at(i);
    if (is_inline(t)) {
      if (is_said) changes.erase(i);
      is_said = true;
    } else if (is_said && has_parentheses_after_it(t) && shape.is(i + 1, "(")) {
      i = shape.after(i + 1) - 1;
    } else if (is_said && t.is("[") && shape.is(i + 1, "[")) {
      i = shape.after(i) - 1;
    } else if (t.is("(") || t.is(";") || t.is("{") || t.is("}") || t.is("=") || t.is(":")) {
      is_said = false;
    }
  }
}

void remove_global_qualification(const structure& shape, edits& changes) {
  for (const scope& one : shape.scopes()) {
    if (one.kind != scope_kind::type) continue;
    for (std::size_t i = one.head; i + 1 < one.open && !shape.is(i, ":"); ++i) {
      const bool is_key = shape.is(i, "class") || shape.is(i, "struct") || shape.is(i, "union");
      if (is_key && shape.is(i + 1, "::")) changes.erase(i + 1);
    }
  }
}

void name_redefined_classes(const structure& shape, edits& changes) {
  for (std::size_t i = 0; i + 1 < shape.size(); ++i) {
    if (!shape.is(i, "typedef") || !shape.is_name(i + 1)) continue;
    if (!shape.is(i + 2, "<") || !shape.opens_angles(i + 2)) continue;
    const std::size_t name = shape.after_angles(i + 2);
    const bool is_same = shape.is(name, shape.at(i + 1).text) && shape.is(name + 1, ";");
    const bool is_in_class = shape.scope_of(i).kind == scope_kind::type;
    // Elsewhere the name may be that of an alias, which is no class.
    const bool is_in_cub = shape.file_of(i).find("/cub/") != std::string_view::npos;
    if (is_same && is_in_class && is_in_cub) changes.insert_before(i + 1, "struct");
  }
}

void add_template_keywords(const structure& shape, edits& changes) {
  for (std::size_t i = 1; i + 2 < shape.size(); ++i) {
    const bool is_member = shape.is(i, "::") && shape.is(i - 1, ">") && shape.is_name(i + 1);
    if (!is_member || !shape.is(i + 2, "<") || !shape.opens_angles(i + 2)) continue;
    const bool is_called = shape.is(shape.after_angles(i + 2), "(");
    // Elsewhere it may be the name that a declaration defines.
    if (is_called && shape.function_around(i) != nullptr) changes.insert_after(i, "template");
  }
}

}  // namespace heddle::frontend
