// What a program prints outside of `heddle check` when a kernel fails, or when it reaches code that
// the CPU does not support.
#include <fmt/core.h>

#include <cstdio>

#include <vector_types.h>
#include <heddle_host/reporter.hpp>

#include "report/check/check_report.hpp"
#include "report/check/found_of.hpp"
#include "report/check/place_words.hpp"
#include "report/check/source_lines.hpp"
#include "report/kernel_name.hpp"

namespace heddle_report {
namespace {

std::string index_text(uint3 index) { return fmt::format("({},{},{})", index.x, index.y, index.z); }

std::string who_reached(const heddle_host::program_stop& what) {
  if (!what.place) return "the host reached it";
  return fmt::format("kernel `{}` reached it in block {}, thread {} (warp {}, lane {})",
                     kernel_name(what.kernel), index_text(what.place->block),
                     index_text(what.place->thread), what.place->warp, what.place->lane);
}

// `main.cu:8: `, or nothing if the line is not known.
std::string where_of(const heddle_host::program_stop& what) {
  if (what.where != nullptr) return fmt::format("{}: ", what.where);
  const call_chain chain = find_call_chain(what.caller, true);
  if (chain.empty()) return "";
  const source_line& line = is_of_user(chain.back()) ? chain.back() : chain.front();
  return fmt::format("{}:{}: ", short_path(line.file), line.line);
}

class program_reporter final : public heddle_host::reporter {
 public:
  void report(const heddle_host::finding& what) override {
    std::fflush(stdout);
    std::fputs(text_of(found_of(what)).c_str(), stderr);
  }

  void report(const heddle_host::program_stop& what, heddle_host::stop_listener listener) override {
    const std::string advice = what.advice == nullptr ? "" : fmt::format(": {}", what.advice);
    const std::string message = fmt::format("{}{} is not supported on the CPU{}; {}",
                                            where_of(what), what.what, advice, who_reached(what));
    if (listener != nullptr && listener(message)) return;
    std::fprintf(stderr, "heddle: %s\n", message.c_str());
  }

  void report_event_times() override {
    std::fflush(stdout);
    std::fputs(
        "heddle: note: this program times kernels with events; times on a CPU say nothing about a "
        "GPU\n",
        stderr);
  }
};

}  // namespace
}  // namespace heddle_report

heddle_host::reporter& heddle_host::reporter::instance() {
  static heddle_report::program_reporter only;
  return only;
}
