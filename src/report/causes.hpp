// The causes of findings, each with the words that hold for all findings of the cause.
#pragma once
#include <span>
#include <string_view>

#include <heddle_host/finding_cause.hpp>

namespace heddle_report {

struct defect_cause {
  heddle_host::finding_cause cause;
  const char* name;      // in JSON: never changed
  const char* sentence;  // what is wrong, as far as it needs no names and numbers
  const char* why;       // empty: as the kind says
  const char* fix;       // empty: as the kind says
  bool is_note = false;  // works everywhere; shown, and counted only with --strict
};

// By number.
std::span<const defect_cause> all_causes();

const defect_cause& cause_of(heddle_host::finding_cause which);

// Null if there is no such cause.
const defect_cause* find_cause(std::string_view name);

}  // namespace heddle_report
