// Reports that a program has reached something that the CPU runtime does not support.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>

#include <vector_types.h>
#include <heddle_host/stop.hpp>
#include <nlohmann/json.hpp>

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

}  // namespace
}  // namespace heddle_report

extern "C" void heddle_report_stop(const heddle_host::program_stop& what,
                                   heddle_host::stop_listener hears) {
  const std::string sentence = fmt::format("{}: {} is not offered on the CPU; {}", what.where,
                                           what.what, heddle_report::who_reached(what));
  if (hears != nullptr && hears(sentence)) return;
  std::fprintf(stderr, "heddle: %s\n", sentence.c_str());
}

// Written to the file, for `heddle check` to print.
extern "C" void heddle_report_stopped_run(const std::string& sentence, const char* findings_file) {
  std::ofstream(findings_file, std::ios::app)
      << nlohmann::json{{"stopped", sentence}}.dump(-1, ' ', false,
                                                    nlohmann::json::error_handler_t::replace)
      << '\n';
}
