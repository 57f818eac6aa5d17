// The kinds of defects, each with the words that hold for all of its findings.
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
  const char* why;    // what is wrong about it
  const char* fix;    // what usually helps
  bool is_error;      // false: harmless for the result, so a warning
};

// In the order in which reports list them.
std::span<const defect_kind> all_kinds();

// Null if there is no such kind.
const defect_kind* find_kind(std::string_view name);

const defect_kind& find_kind(heddle_host::finding_kind which);

// The name of a kind, as in the documentation.
inline const char* name_of(heddle_host::finding_kind which) { return find_kind(which).name; }

// `mask, divergent-barrier, …`
std::string names_of_kinds();

}  // namespace heddle_report
