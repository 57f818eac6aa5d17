// How a kernel is called: by its bare name, and by an expression that means it and no other.
#pragma once
#include <optional>
#include <string>

#include "edits.hpp"
#include "structure.hpp"

namespace heddle::frontend {

// The name in `template <…> void name<…>(…)`.
std::string name_of(const structure& shape, const scope& kernel);

// A constant expression for the kernel's address that can stand in the kernel's own body, whatever
// its parameters and its overloads are called. Nothing if it cannot be written from the tokens.
std::optional<std::string> address_of(const structure& shape, const edits& changes,
                                      const scope& kernel);

}  // namespace heddle::frontend
