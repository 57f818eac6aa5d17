// Reads the functions and declarations of one side of a file.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/rewrite/structure.hpp"
#include "frontend/sides/compare.hpp"

namespace heddle::frontend {

// The text of a file as the host or the device sees it.
struct side {
  explicit side(const token_list& tokens) : list(tokens), shape(tokens) {}
  const token_list& list;
  structure shape;
};

// The function that needs two versions if the range differs. This is the outermost function, except
// that a device lambda in a host function counts as a separate function. Null outside functions.
const scope* function_of(const structure& shape, token_range range);

// The first token of a function, or of a lambda.
std::size_t start_of(const structure& shape, const scope& function);

// What identifies a function: everything before its body, except specifiers.
std::string signature_of(const structure& shape, const scope& function);

bool has_word(const structure& shape, token_range range, std::string_view word);

// A declaration at namespace or class scope.
struct item {
  token_range range;
  const scope* body = nullptr;  // of a function
  bool is_namespace = false;
};

// Splits a range into declarations; nullopt if it does not consist of whole declarations.
std::optional<std::vector<item>> items_in(const structure& shape, token_range range);

// The name that a declaration or typedef declares: the last one before the first `(`, `=`, `{`,
// `[`, `:` or `;`, without attributes.
std::string_view declared_name(const structure& shape, token_range range);

// Whether the function with this header has no parameters.
bool takes_nothing(const structure& shape, token_range header);

// Whether it declares a class, an enumeration or an alias.
bool is_type(const structure& shape, const item& one);
// The heads of the scopes around a declaration, and its name.
std::string qualified_name(const structure& shape, const item& one);

}  // namespace heddle::frontend
