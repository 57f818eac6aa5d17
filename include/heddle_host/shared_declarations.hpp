// The shared variables that the program declares, for the runtime and the checker.
#pragma once
#include <cstddef>
#include <vector>

#include <heddle_host/declaration_place.hpp>

namespace heddle_host {

struct shared_declaration {
  std::size_t offset;
  std::size_t bytes;
  const char* slot_type;
  const std::size_t* kept_at;  // where the offset is stored; not a variable of the program
  declaration_place declared;
};
// Everything that the program has reserved so far.
const std::vector<shared_declaration>& shared_declarations();

// Whether the address is the reference of a block_home, which is not a variable of the program.
bool is_block_home(const void* address);

}  // namespace heddle_host
