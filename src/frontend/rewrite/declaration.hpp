// Parses a simple declaration into specifiers, attributes and declarators.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

struct declarator {
  std::size_t start;  // its first token
  std::size_t name;   // position of the declared name
  std::size_t end;    // the `,` or `;` after it
  bool has_initializer = false;
  std::size_t shape_end = nowhere;  // the first token of the initialiser, or `end`
};

struct declaration {
  std::size_t start = 0;  // first token
  std::size_t type = 0;   // first token that is neither an attribute nor a storage specifier
  std::size_t end = 0;    // the `;`
  std::vector<std::size_t> storage_words;                       // static, extern, inline, markers
  std::vector<std::pair<std::size_t, std::size_t>> attributes;  // token ranges
  std::size_t specifiers_end = 0;                               // where the first declarator begins
  bool is_extern = false;
  bool has_unnamed_type = false;  // `struct { … }`
  // `struct name { … }` defined within the declaration.
  std::optional<std::size_t> named_type_end;  // its `}`
  std::string named_type;                     // "struct name"
  std::vector<declarator> declarators;
};

bool is_built_in(const token& word);  // int, unsigned, auto …

// Parses the declaration at `start`; nothing if it does not look like a declaration of variables.
std::optional<declaration> read_declaration(const structure& shape, std::size_t start);

// `int *a[4]`: a name with only stars and extents around it.
bool is_plain(const structure& shape, const declarator& one);

// Declares a reference to the variable, with its type written out. In a template, `auto` would make
// the variable type-dependent, and `a.f<3>()` would need the keyword `template`.
std::string reference_to(const structure& shape, const declaration& all, const declarator& one);

// The common type of all declarators, with attributes: as written, or its name if the declaration
// defines it.
std::string specifiers_of(const structure& shape, const declaration& all);

// The user's file and line of a token, as source text: `{"file.cu", 12}`.
std::string place_text(const structure& shape, std::size_t index);

}  // namespace heddle::frontend
