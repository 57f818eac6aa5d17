// How the commands speak while a build goes on.
#pragma once
#include <frontend/build.hpp>
#include <frontend/build_error.hpp>

namespace heddle::cli {

// Commands and notes are printed if the user asked for them; all goes to standard error.
frontend::build_listener speaking_listener(bool is_verbose);

void tell(const frontend::build_error& failure);

}  // namespace heddle::cli
