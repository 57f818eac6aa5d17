// What a checked run hands to the report when it ends.
#pragma once
#include <deque>
#include <vector>

#include <heddle_host/finding.hpp>
#include <heddle_host/ran_code.hpp>

#include "checker/coverage.hpp"
#include "checker/settings.hpp"

namespace heddle_checker {

struct run_summary {
  const std::deque<heddle_host::finding>& findings;
  const settings& how;
  const coverage covered;
  const bool has_released;  // a lane passed its vector clock to others than its whole block
  const std::vector<const heddle_host::ran_module*> ran;
};

}  // namespace heddle_checker
