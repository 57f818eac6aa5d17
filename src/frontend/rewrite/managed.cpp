// Adds a registration after each declaration of `__managed__` variables.
#include "frontend/rewrite/managed.hpp"

#include <unordered_set>

#include "frontend/rewrite/declaration.hpp"

namespace heddle::frontend {

void register_managed_variables(const structure& shape, edits& changes) {
  std::unordered_set<std::uint32_t> done;
  for (const marker& word : shape.function_markers()) {
    if (!shape.at(word.at).is("__heddle_managed__")) continue;
    const scope_kind around = shape.scope_of(word.at).kind;
    const bool is_at_namespace_scope = around == scope_kind::file ||
                                       around == scope_kind::name_space ||
                                       around == scope_kind::linkage;
    if (!is_at_namespace_scope || !done.insert(word.head).second) continue;
    const auto what = read_declaration(shape, word.head);
    if (!what || what->is_extern) continue;
    for (const declarator& one : what->declarators) {
      const std::string name(shape.at(one.name).text);
      changes.insert_after(what->end, " [[maybe_unused]] static const bool heddle_managed_" + name +
                                          " = ::heddle_host::add_managed(" + name + ");");
    }
  }
}

}  // namespace heddle::frontend
