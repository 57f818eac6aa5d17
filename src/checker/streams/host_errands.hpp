// What the host has asked streams for, and the calls by which it asked.
#pragma once
#include <set>
#include <tuple>
#include <unordered_set>
#include <vector>

#include <heddle_host/finding.hpp>

namespace heddle_checker {

using call_chain = std::vector<const void*>;  // innermost first

// A copy, a fill or a free. To the race detector it is the code of an access.
struct errand {
  heddle_host::activity what;
  call_chain calls;
  friend bool operator<(const errand& a, const errand& b) {
    return std::tie(a.what, a.calls) < std::tie(b.what, b.calls);
  }
};

// Each is kept once and for ever: findings and the race detector point to them.
class host_errands {
 public:
  const errand* keep(heddle_host::activity what, const call_chain& calls) {
    const errand* const one = &*kept_.insert({what, calls}).first;
    known_.insert(one);
    return one;
  }
  // The errand that stands for a code; null: it is real code.
  [[nodiscard]] const errand* find(const void* code) const {
    return known_.contains(code) ? static_cast<const errand*>(code) : nullptr;
  }

 private:
  std::set<errand> kept_;
  std::unordered_set<const void*> known_;
};

}  // namespace heddle_checker
