// The kinds of defects, each with the text that all of its findings share.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include <heddle_host/finding_cause.hpp>

namespace heddle_report {

struct defect_kind {
  heddle_host::finding_kind kind;
  const char* name;   // as in the documentation and on command lines
  const char* title;  // what it is, in one line
  const char* why;    // why it is wrong
  const char* fix;    // the usual fix
  bool is_error;      // false: a warning, since the result is still right
};

// In the order in which reports list them.
std::span<const defect_kind> all_kinds();

// Null if no kind has this name.
const defect_kind* find_kind(std::string_view name);

const defect_kind& find_kind(heddle_host::finding_kind which);

// The name of a kind, as in the documentation.
inline const char* name_of(heddle_host::finding_kind which) { return find_kind(which).name; }

// `mask, divergent-barrier, …`
std::string names_of_kinds();

}  // namespace heddle_report
