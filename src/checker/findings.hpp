// The findings of a run; any thread may add one.
#pragma once
#include <cstddef>
#include <mutex>
#include <utility>

#include <heddle_host/finding.hpp>

#include "checker/collector.hpp"

namespace heddle_checker {

class findings {
 public:
  void add(heddle_host::finding what) {
    const std::lock_guard lock(mutex_);
    kept_.add(std::move(what));
  }
  // Calls see(all findings, number already seen) and marks all of them as seen.
  template <typename Function>
  void see_new(Function see) {
    const std::lock_guard lock(mutex_);
    if (seen_ == kept_.findings().size()) return;
    see(kept_.findings(), seen_);
    seen_ = kept_.findings().size();
  }
  template <typename Function>
  void see_all(Function see) {
    const std::lock_guard lock(mutex_);
    see(kept_.findings());
  }
  // Replaces the findings and returns the old ones.
  collector replace(collector by) {
    const std::lock_guard lock(mutex_);
    return std::exchange(kept_, std::move(by));
  }

 private:
  std::mutex mutex_;
  collector kept_;
  std::size_t seen_ = 0;
};

}  // namespace heddle_checker
