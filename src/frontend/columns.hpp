// The columns that tokens have in the user's files, which a preprocessor does not keep.
#pragma once
#include <functional>
#include <string>

#include "token.hpp"

namespace heddle::frontend {

using source_reader = std::function<std::string(const std::string& file)>;

// Preprocessing expands macros, drops comments and makes one blank of many. Gives each token of a
// user's file the column that it has there; what came out of a macro is marked and gets the column
// of the macro.
void restore_columns(token_list& list, const source_reader& read);

}  // namespace heddle::frontend
