// The interface through which a profiled run hands over its counters.
#pragma once
#include <string>

#include "profiler/counters.hpp"

namespace heddle_profiler {

// src/report implements it. instance() is the only reference from the profiler up to src/report:
// tools/include-arrows.txt lists it.
class profile_reporter {
 public:
  static profile_reporter& instance();

  // An empty file: words on the standard error.
  virtual void report(const profile& counted, const std::string& file) = 0;

 protected:
  ~profile_reporter() = default;
};

}  // namespace heddle_profiler
