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
  // True if the finding is new. Of two equal findings, keeps the one that names its memory.
  bool add(heddle_host::finding what);
  [[nodiscard]] const std::deque<heddle_host::finding>& findings() const { return findings_; }

 private:
  // A kind of defect and the code addresses where it occurs.
  using key = std::pair<heddle_host::finding_kind, std::vector<const void*>>;
  std::map<key, std::size_t> known_;
  std::deque<heddle_host::finding> findings_;
};

}  // namespace heddle_checker
