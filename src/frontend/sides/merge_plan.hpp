// Decides how to merge each difference between the host's and the device's text.
#pragma once
#include <cstddef>
#include <map>
#include <vector>

#include "frontend/rewrite/edits.hpp"
#include "frontend/sides/declarations.hpp"

namespace heddle::frontend {

// What the merged text contains in addition to the device's text.
struct merge_plan {
  std::map<std::size_t, const scope*> host_of;            // by the `{` of the device's version
  std::map<std::size_t, const scope*> device_of;          // by the `{` of the host's version
  std::map<std::size_t, std::vector<token_range>> added;  // host's, before a device's token
  std::vector<diagnostic> notes;  // differences for which only the device's side is kept
};

// Pairs the functions whose bodies differ, and adds declarations that only the host has. The plan
// refers to both sides.
merge_plan plan_merge(const side& host, const side& device,
                      const std::vector<difference>& differences);

}  // namespace heddle::frontend
