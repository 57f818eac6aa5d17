// A finding as JSON: what the commands read, and what other programs may read.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include <heddle_host/finding.hpp>

namespace heddle_report {

// The word for a kind of finding, as in the documentation.
const char* kind_name(heddle_host::finding_kind kind);

nlohmann::json to_json(const heddle_host::finding& what);

}  // namespace heddle_report
