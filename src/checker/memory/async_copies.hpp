// Tracks which asynchronous copies a lane knows to be complete once it has waited.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>

#include <heddle_host/async_copy.hpp>

#include "checker/race/vector_clock.hpp"

namespace heddle_checker {

// The groups of copies that one lane has committed and not yet waited for, oldest first.
class copies_of_lane {
 public:
  // Vector clocks of the copies that the lane has issued so far: of their reads, and of all
  // accesses.
  struct group {
    vector_clock reads, all;
  };
  void commit(heddle_host::copy_queue which, group what) { of(which).push_back(std::move(what)); }
  // Returns the copies that are complete once only the last `all_but` groups are pending.
  [[nodiscard]] group await(heddle_host::copy_queue which, std::size_t all_but) {
    group done;
    for (std::deque<group>& groups = of(which); groups.size() > all_but; groups.pop_front()) {
      done = std::move(groups.front());
    }
    return done;
  }

  vector_clock reads;  // by all copies so far

 private:
  std::deque<group>& of(heddle_host::copy_queue which) {
    return groups_[static_cast<unsigned>(which)];
  }
  std::deque<group> groups_[2];
};

// The copies that barriers in memory wait for.
class copies_of_barriers {
 public:
  void bind(std::uintptr_t barrier, const vector_clock& copies) {
    all_[barrier].expected.join(copies);
  }
  void end_phase(std::uintptr_t barrier) {
    const auto found = all_.find(barrier);
    if (found != all_.end()) found->second.done.join(std::exchange(found->second.expected, {}));
  }
  [[nodiscard]] vector_clock done(std::uintptr_t barrier) const {
    const auto found = all_.find(barrier);
    return found == all_.end() ? vector_clock() : found->second.done;
  }
  void forget(std::uintptr_t begin, std::size_t bytes) {
    all_.erase(all_.lower_bound(begin), all_.lower_bound(begin + bytes));
  }

 private:
  struct barrier_copies {
    vector_clock expected;  // by the phase that runs
    vector_clock done;      // in phases before it
  };
  std::map<std::uintptr_t, barrier_copies> all_;
};

}  // namespace heddle_checker
