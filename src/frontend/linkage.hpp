// Lets a header with device code be included by several .cu files of one program.
#pragma once
#include "edits.hpp"
#include "structure.hpp"

namespace heddle::frontend {

// Without -rdc=true nvcc keeps device functions and variables to the file that is compiled, so
// headers may define them without saying `inline` or `static`. Here they are ordinary code: those
// words are added to definitions in headers.
void give_linkage_to_headers(const structure& shape, edits& changes);

// nvcc lets `__forceinline__`, which says `inline`, stand beside another `inline`; g++ does not.
void remove_repeated_inline(const structure& shape, edits& changes);

}  // namespace heddle::frontend
