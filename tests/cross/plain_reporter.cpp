// The runtime's one link to src/report, without source lines: enough for programs that do not fail.
#include <heddle_host/reporter.hpp>

#include <cstdio>
#include <cstdlib>

namespace heddle_host {
namespace {

struct plain_reporter final : reporter {
  void report(const finding& what) override {
    std::fprintf(stderr, "finding of kind %d\n", static_cast<int>(what.kind));
    std::abort();
  }
  void report(const program_stop& what, stop_listener) override {
    std::fprintf(stderr, "unsupported: %s\n", what.what);
  }
  void report_event_times() override {}
};

}  // namespace

reporter& reporter::instance() {
  static plain_reporter only;
  return only;
}

}  // namespace heddle_host
