// Operations that the host enqueues on streams, with the calls that enqueued them.
#pragma once
#include <set>
#include <tuple>
#include <unordered_set>
#include <vector>

#include <heddle_host/finding.hpp>

namespace heddle_checker {

using call_chain = std::vector<const void*>;  // innermost call first

// A copy, fill, free or launch. The race detector uses its address as the code of an access.
struct stream_operation {
  heddle_host::activity what;
  call_chain calls;
  friend bool operator<(const stream_operation& a, const stream_operation& b) {
    return std::tie(a.what, a.calls) < std::tie(b.what, b.calls);
  }
};

// Keeps each operation once and forever, because findings and the race detector point to it.
class stream_operations {
 public:
  const stream_operation* keep(heddle_host::activity what, const call_chain& calls) {
    const stream_operation* const one = &*kept_.insert({what, calls}).first;
    known_.insert(one);
    return one;
  }
  // Null if `code` is the address of real code.
  [[nodiscard]] const stream_operation* find(const void* code) const {
    return known_.contains(code) ? static_cast<const stream_operation*>(code) : nullptr;
  }

 private:
  std::set<stream_operation> kept_;
  std::unordered_set<const void*> known_;
};

}  // namespace heddle_checker
