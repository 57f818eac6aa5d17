// Names a kernel: its bare name, and an expression that refers to it unambiguously.
#pragma once
#include <optional>
#include <string>

#include "frontend/rewrite/edits.hpp"
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

// Where the parts of a function's declaration are, as token positions; `nowhere` if missing.
struct declarator_place {
  std::size_t name = nowhere;
  std::size_t parameters = nowhere;           // the `(`
  std::size_t template_parameters = nowhere;  // the last `<` after `template`
  unsigned templates = 0;                     // the number of `template <…>`
};
declarator_place find_declarator(const structure& shape, const scope& function);

// The name in `template <…> void name<…>(…)`.
std::string name_of(const structure& shape, const scope& kernel);

// A constant expression for the kernel's address that is valid inside the kernel's own body,
// whatever its parameters and overloads are called. Nothing if the tokens do not suffice to write
// it.
std::optional<std::string> address_of(const structure& shape, const edits& changes,
                                      const scope& kernel);

}  // namespace heddle::frontend
