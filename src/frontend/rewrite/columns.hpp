// Restores the columns that tokens have in the user's files, which preprocessing loses.
#pragma once
#include <functional>
#include <string>

#include "frontend/rewrite/token.hpp"

namespace heddle::frontend {

using source_reader = std::function<std::string(const std::string& file)>;

// Preprocessing expands macros, drops comments and collapses blanks. Gives each token of a user's
// file its original column; a token that came out of a macro is marked and gets the macro's column.
void restore_columns(token_list& list, const source_reader& read);

}  // namespace heddle::frontend
