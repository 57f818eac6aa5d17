// What a checked run hands to the report when it ends.
#pragma once
#include <cstdint>
#include <deque>

#include <heddle_host/finding.hpp>

#include "checker/settings.hpp"

namespace heddle_checker {

struct run_summary {
  const std::deque<heddle_host::finding>& findings;
  const settings& how;
  // Where not all blocks were to be watched.
  std::uint64_t blocks_watched = 0, blocks = 0;
};

}  // namespace heddle_checker
