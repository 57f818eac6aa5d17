// What a checked program leaves behind when it ends: lines for `heddle check`, or words.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <deque>
#include <fstream>

#include <nlohmann/json.hpp>

#include "report/finding_json.hpp"
#include "report/finding_text.hpp"

extern "C" void heddle_report_checked_run(const std::deque<heddle_host::finding>& findings,
                                          const char* settings, const char* findings_file) {
  if (*findings_file != '\0') {
    std::ofstream file(findings_file, std::ios::app);
    for (const auto& one : findings) {
      if (heddle_report::is_worth_telling(one)) file << heddle_report::to_json(one).dump() << '\n';
    }
    file << nlohmann::json{{"run", settings}}.dump() << '\n';
    return;
  }
  std::fflush(nullptr);
  std::size_t told = 0;
  for (const auto& one : findings) {
    if (!heddle_report::is_worth_telling(one)) continue;
    ++told;
    std::fputs(heddle_report::describe(one).c_str(), stderr);
  }
  std::fprintf(stderr, "heddle: checked (%s): %zu findings\n", settings, told);
  if (told == 0) return;
  std::fflush(nullptr);
  _exit(1);
}
