// Finds where code uses a local variable, rather than another one of the same name.
#pragma once
#include <vector>

#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

// The uses of the variable that the token `name` declares, from the `;` of its declaration (`from`)
// to the end of its scope. Inner variables, parameters and members with the same name hide it.
std::vector<std::size_t> uses_of(const structure& shape, std::size_t name, std::size_t from);

// The first token of the statement that contains a token, or of its part of a `for (…; …; …)`.
std::size_t statement_around(const structure& shape, std::size_t index);

}  // namespace heddle::frontend
