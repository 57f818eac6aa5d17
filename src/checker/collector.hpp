// Keeps the findings of a run: the same defect in a thousand lanes is one finding with a count.
#pragma once
#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <heddle_host/finding.hpp>

namespace heddle_checker {

class collector {
 public:
  // True if nothing like it was there. Of two that are alike the one that knows its memory stays.
  bool add(heddle_host::finding what);
  [[nodiscard]] const std::deque<heddle_host::finding>& findings() const { return findings_; }

 private:
  // A kind of defect at the same places of the code.
  using key = std::pair<heddle_host::finding_kind, std::vector<const void*>>;
  std::map<key, std::size_t> known_;
  std::deque<heddle_host::finding> findings_;
};

}  // namespace heddle_checker
