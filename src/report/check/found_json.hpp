// Findings as JSON: for passing them to `heddle check`, and for `--json`.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "report/check/found.hpp"

namespace heddle_report {

nlohmann::json to_json(const found& what);

// Throws std::invalid_argument for an unknown kind or cause.
found read_finding(const nlohmann::json& from);

}  // namespace heddle_report
