// Lets several .cu files of one program include a header with device code.
#include "frontend/rewrite/linkage.hpp"

#include <array>
#include <unordered_set>

#include "frontend/rewrite/dialect.hpp"

namespace heddle::frontend {
namespace {

bool settles_linkage(const token& t) {
  constexpr std::array<std::string_view, 8> words{"static",    "extern",           "constexpr",
                                                  "consteval", "friend",           "typedef",
                                                  "using",     "__heddle_shared__"};
  return is_inline(t) || t.is_one_of(words);
}

enum class definition { none, function, variable };

// What the declaration at `head` defines, if its linkage is not yet settled. `word` is the marker.
definition what_is_defined(const structure& shape, const marker& word,
                           const std::unordered_set<std::uint32_t>& function_heads) {
  bool is_template = false;
  for (std::size_t i = word.head; i < shape.size(); ++i) {
    const token& t = shape.at(i);
    if (settles_linkage(t)) return definition::none;
    if (t.is("template") && shape.is(i + 1, "<")) {
      const bool is_specialization = shape.is(i + 2, ">");
      if (!is_specialization) is_template = true;
      i = shape.after_angles(i + 1) - 1;
      continue;
    }
    if (has_parentheses_after_it(t) && shape.is(i + 1, "(")) {
      i = shape.after(i + 1) - 1;
      continue;
    }
    if (t.is("[") && shape.is(i + 1, "[")) {
      i = shape.after(i) - 1;
      continue;
    }
    if (t.is("<") && i > 0 && shape.is_name(i - 1)) {
      i = shape.after_angles(i) - 1;
      continue;
    }
    if (t.is("operator") || t.is("(")) {
      const bool is_defined = function_heads.count(word.head) != 0;
      return i > word.at && is_defined && !is_template ? definition::function : definition::none;
    }
    if (t.is(";") || t.is("=") || t.is("{") || t.is("["))
      return i > word.at && !is_template ? definition::variable : definition::none;
  }
  return definition::none;
}

}  // namespace

void give_linkage_to_headers(const structure& shape, edits& changes) {
  if (shape.size() == 0) return;
  // The first line marker of preprocessed text names the main file.
  const auto& files = shape.list().files;
  const std::string main_file = files.size() > 1 ? files[1].name : files[0].name;
  std::unordered_set<std::uint32_t> function_heads, done;
  for (const scope& one : shape.scopes())
    if (one.kind == scope_kind::function && !one.is_kernel) function_heads.insert(one.head);
  for (const marker& word : shape.function_markers()) {
    const token& t = shape.at(word.at);
    if (!t.is("__heddle_device__") && !t.is("__heddle_constant__") && !t.is("__heddle_managed__"))
      continue;
    if (files[t.file].name == main_file) continue;
    const scope_kind around = shape.scope_of(word.at).kind;
    const bool is_at_namespace_scope = around == scope_kind::file ||
                                       around == scope_kind::name_space ||
                                       around == scope_kind::linkage;
    if (!is_at_namespace_scope || !done.insert(word.head).second) continue;
    switch (what_is_defined(shape, word, function_heads)) {
      case definition::function:
        changes.insert_before(word.at, "inline");
        break;
      case definition::variable:
        changes.insert_before(word.at, "static __attribute__((unused))");
        break;
      case definition::none:
        break;
    }
  }
}

}  // namespace heddle::frontend
