// What nvcc accepts and the host's compiler does not.
#pragma once
#include "frontend/rewrite/edits.hpp"
#include "frontend/rewrite/structure.hpp"

namespace heddle::frontend {

bool is_inline(const token& t);

// Programs write `inline` next to `__forceinline__`, which includes it. g++ rejects a second one.
void remove_repeated_inline(const structure& shape, edits& changes);

// `template <> class ::a::traits<T> { … };`: nvcc accepts the leading `::`, g++ does not.
void remove_global_qualification(const structure& shape, edits& changes);

// CUB before 2.0 has `typedef BlockExchange<…> BlockExchange;` in classes. From version 12 on, g++
// rejects that the typedef changes the meaning of the name, also in system headers. `typedef struct
// BlockExchange<…> BlockExchange;` is accepted.
void name_redefined_classes(const structure& shape, edits& changes);

// `vec_cast<T>::cast<4>(p)`: nvcc finds out that `cast` is a template, g++ needs the word
// `template`.
void add_template_keywords(const structure& shape, edits& changes);

}  // namespace heddle::frontend
