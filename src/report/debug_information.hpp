// What the compiler has written down of the running program, as elfutils' libdw reads it.
#pragma once
#include <elfutils/libdwfl.h>

namespace heddle_report {

// Opened at the first call; null: there is none.
Dwfl* debug_information();

}  // namespace heddle_report
