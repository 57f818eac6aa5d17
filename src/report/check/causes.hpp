// The causes of findings, each with the text that all findings of the cause share.
#pragma once
#include <span>
#include <string_view>

#include <heddle_host/finding_cause.hpp>

namespace heddle_report {

struct defect_cause {
  heddle_host::finding_cause cause;
  const char* name;      // used in JSON: never changes
  const char* sentence;  // what is wrong, without names and numbers
  const char* why;       // empty: use the kind's
  const char* fix;       // empty: use the kind's
  bool is_note = false;  // works on every GPU: shown, but counted only with --strict
};

// Indexed by the cause's number.
std::span<const defect_cause> all_causes();

const defect_cause& cause_of(heddle_host::finding_cause which);

// Null if no cause has this name.
const defect_cause* find_cause(std::string_view name);

}  // namespace heddle_report
