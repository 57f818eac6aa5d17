// Lets several .cu files of one program include a header with device code.
#pragma once
#include "frontend/rewrite/edits.hpp"
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

// Without -rdc=true, nvcc keeps device functions and variables local to the translation unit, so
// headers may define them without `inline` or `static`. Here they are ordinary code, so definitions
// in headers get those keywords.
void give_linkage_to_headers(const structure& shape, edits& changes);

// Programs write `inline` next to `__forceinline__`, which includes it. g++ rejects a second one.
void remove_repeated_inline(const structure& shape, edits& changes);

// `template <> class ::a::traits<T> { … };`: nvcc accepts the leading `::`, g++ does not.
void remove_global_qualification(const structure& shape, edits& changes);

}  // namespace heddle::frontend
