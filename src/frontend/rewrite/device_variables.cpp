// Adds a registration after each declaration of device variables.
#include "frontend/rewrite/device_variables.hpp"

#include <algorithm>
#include <set>

#include "frontend/rewrite/declaration.hpp"

namespace heddle::frontend {
namespace {

bool is_at_namespace_scope(const structure& shape, std::size_t index) {
  const scope_kind around = shape.scope_of(index).kind;
  return around == scope_kind::file || around == scope_kind::name_space ||
         around == scope_kind::linkage;
}

// The declaration, if it defines variables and was fully understood.
std::optional<declaration> read_variables(const structure& shape, const marker& word) {
  if (shape.is(word.head, "template")) return std::nullopt;
  auto read = read_declaration(shape, word.head);
  if (!read || read->is_extern) return std::nullopt;
  const auto& storage = read->storage_words;
  const bool is_understood =
      std::find(storage.begin(), storage.end(), word.at) != storage.end() &&
      std::all_of(read->declarators.begin(), read->declarators.end(),
                  [&](const declarator& one) { return is_plain(shape, one); });
  return is_understood ? read : std::nullopt;
}

}  // namespace

void declare_device_variables(const structure& shape, edits& changes, bool with_constants) {
  std::set<std::uint32_t> done;
  int number = 0;
  for (const marker& word : shape.function_markers()) {
    const token& t = shape.at(word.at);
    const bool is_of_variable = t.is("__heddle_device__") || t.is("__heddle_managed__") ||
                                (with_constants && t.is("__heddle_constant__"));
    if (!is_of_variable || !is_at_namespace_scope(shape, word.at)) continue;
    if (!done.insert(word.head).second) continue;
    const auto read = read_variables(shape, word);
    if (!read) continue;
    const std::string type = t.is("__heddle_constant__") ? "constant_variable" : "device_variable";
    std::string registrations;
    for (const declarator& one : read->declarators) {
      const std::string name(shape.at(one.name).text);
      registrations += " static const ::heddle_host::" + type + " heddle_variable_" +
                       std::to_string(number++) + "(\"" + name + "\", " + name + ", " +
                       place_text(shape, one.name) + ");";
    }
    changes.insert_after(read->end, registrations);
  }
}

}  // namespace heddle::frontend
