// Rewrites those uses of shared variables for which a local reference would not work.
#pragma once
#include <string>
#include <vector>

#include "frontend/rewrite/edits.hpp"
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

// A shared variable of a function.
struct shared_local {
  std::size_t name;           // the token that declares it
  std::size_t from;           // the `;` of its declaration
  std::string type;           // the struct that holds it, or its array type if the launch sizes it
  std::string member;         // its name in the struct; empty if the launch sizes it
  bool has_reference = true;  // otherwise all its uses are replaced
};

void rewrite_shared_uses(const structure& shape, edits& changes,
                         const std::vector<shared_local>& locals);

}  // namespace heddle::frontend
