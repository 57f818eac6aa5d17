// The interface through which the runtime has something put into words.
#pragma once
#include <heddle_host/finding.hpp>
#include <heddle_host/program_stop.hpp>

namespace heddle_host {

// src/report implements it. instance() is the only reference from the runtime up to src/report:
// tools/include-arrows.txt lists it.
class reporter {
 public:
  static reporter& instance();

  // A kernel failed.
  virtual void report(const finding& what) = 0;
  // The program reached something that is unsupported. `listener` gets the sentence first.
  virtual void report(const program_stop& what, stop_listener listener) = 0;
  // The program times kernels with events, on a CPU.
  virtual void report_event_times() = 0;

 protected:
  ~reporter() = default;
};

}  // namespace heddle_host
