// Findings as JSON: how a checked program hands them to `heddle check`, and how `--json` has them.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "report/found.hpp"

namespace heddle_report {

nlohmann::json to_json(const found& what);

// Throws std::invalid_argument for a kind or cause that is not known.
found read_finding(const nlohmann::json& from);

}  // namespace heddle_report
