// Prints a finding, or a note about event times, from a program that runs without the checker.
#include <cstdio>

#include "report/check_report.hpp"
#include "report/found_of.hpp"

extern "C" void heddle_report_finding(const heddle_host::finding& what) {
  std::fflush(stdout);
  std::fputs(heddle_report::text_of(heddle_report::found_of(what)).c_str(), stderr);
}

extern "C" void heddle_report_event_times() {
  std::fflush(stdout);
  std::fputs(
      "heddle: note: this program times kernels with events; times on a CPU say nothing about a "
      "GPU\n",
      stderr);
}
