// Merges findings that report the same defect.
#include "checker/collector.hpp"

#include <algorithm>

namespace heddle_checker {

bool collector::add(heddle_host::finding what) {
  key which{what.kind, {}};
  for (const auto& place : what.places) {
    which.second.push_back(place.calls != nullptr ? place.calls : place.code);
  }
  std::sort(which.second.begin(), which.second.end());
  which.second.erase(std::unique(which.second.begin(), which.second.end()), which.second.end());
  const auto [known, is_new] = known_.try_emplace(std::move(which), findings_.size());
  if (is_new) {
    findings_.push_back(std::move(what));
  } else {
    heddle_host::finding& first = findings_[known->second];
    what.count += first.count;
    if (what.memory && !first.memory) {
      first = std::move(what);
    } else {
      first.count = what.count;
    }
  }
  return is_new;
}

}  // namespace heddle_checker
