// Takes a simple declaration apart: specifiers, attributes and declarators.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "structure.hpp"

namespace heddle::frontend {

struct declarator {
  std::size_t start;  // its first token
  std::size_t name;   // position of the declared name
  std::size_t end;    // the `,` or `;` behind it
  bool has_initializer = false;
  std::size_t shape_end = nowhere;  // the first token of the initialiser, or `end`
};

struct declaration {
  std::size_t start = 0;  // first token
  std::size_t type = 0;   // first token that is neither an attribute nor a storage word
  std::size_t end = 0;    // the `;`
  std::vector<std::size_t> storage_words;                       // static, extern, inline, markers
  std::vector<std::pair<std::size_t, std::size_t>> attributes;  // token ranges
  std::size_t specifiers_end = 0;                               // the first declarator begins here
  bool is_extern = false;
  bool has_unnamed_type = false;  // `struct { … }`
  // `struct name { … }` defined within the declaration.
  std::optional<std::size_t> named_type_end;  // its `}`
  std::string named_type;                     // "struct name"
  std::vector<declarator> declarators;
};

bool is_built_in(const token& word);  // int, unsigned, auto …

// Reads the declaration that starts at `start`; nothing if it does not look like one of variables.
std::optional<declaration> read_declaration(const structure& shape, std::size_t start);

// `int *a[4]`: a name with nothing around it but stars and extents.
bool is_plain(const structure& shape, const declarator& one);

// The declaration once more, of a reference. In a template `auto` would make the variable depend on
// the template's parameters, and then `a.f<3>()` would need the word `template`.
std::string reference_to(const structure& shape, const declaration& all, const declarator& one);

// The type of all declarators, as it stands or, if it is defined there, by its name; with
// attributes.
std::string specifiers_of(const structure& shape, const declaration& all);

// Where the user has written a token, as text of the program: `{"file.cu", 12}`.
std::string place_text(const structure& shape, std::size_t index);

}  // namespace heddle::frontend
