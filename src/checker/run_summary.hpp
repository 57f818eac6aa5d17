// What a checked run hands to the report when it ends.
#pragma once
#include <deque>

#include <heddle_host/finding.hpp>

#include "checker/coverage.hpp"
#include "checker/settings.hpp"

namespace heddle_checker {

struct run_summary {
  const std::deque<heddle_host::finding>& findings;
  const settings& how;
  const coverage covered;
};

}  // namespace heddle_checker
