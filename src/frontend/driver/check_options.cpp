// Parses the options of `heddle check`.
#include "frontend/driver/check_options.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "frontend/driver/build_error.hpp"
#include "frontend/driver/option_table.hpp"

namespace heddle::frontend {
namespace {

std::uint64_t whole_number(const std::string& option, const std::string& word) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc{} || end != word.data() + word.size())
    throw build_error(option + " needs a whole number, not " + word);
  return number;
}

// `30`, `30s`, `500ms`, `2m` or `1h`, in seconds.
double duration(const std::string& option, const std::string& word) {
  const std::size_t unit_at = std::min(word.find_first_not_of("0123456789."), word.size());
  const std::string unit = word.substr(unit_at);
  const double scale = unit.empty() || unit == "s" ? 1
                       : unit == "ms"              ? 1e-3
                       : unit == "m"               ? 60
                       : unit == "h"               ? 3600
                                                   : 0;
  const double number = std::atof(word.c_str());
  if (scale == 0 || number <= 0)
    throw build_error(option + " needs a time such as 30s, 2m or 1h, not " + word);
  return number * scale;
}

}  // namespace

void describe(option_table& options, check_options& place) {
  const auto text = [&options](const char* name, std::string& where) {
    options.value({name}, [name, &where](const std::string& given) {
      if (given.empty()) throw build_error("--" + std::string(name) + " needs a value");
      where = given;
    });
  };
  text("schedule", place.schedule);
  text("replay", place.replay);
  text("sarif", place.sarif_file);
  text("junit", place.junit_file);
  text("baseline", place.baseline_file);
  options.flag({"write-baseline"}, [&place] { place.writes_baseline = true; });
  options.value({"suppress"},
                [&place](const std::string& file) { place.suppression_files.push_back(file); });
  options.value({"fail-on"}, [&place](const std::string& kinds) {
    place.fatal_kinds = split(kinds, ", ");
    if (place.fatal_kinds.empty())
      throw build_error("--fail-on needs one or more kinds of findings");
  });
  options.value({"seed"},
                [&place](const std::string& word) { place.seed = whole_number("--seed", word); });
  options.value({"schedules"}, [&place](const std::string& word) {
    place.schedules = whole_number("--schedules", word);
    if (*place.schedules == 0) throw build_error("--schedules needs a number above 0, not 0");
  });
  options.value({"blocks"}, [&place](const std::string& word) {
    place.blocks = whole_number("--blocks", word);
    if (place.blocks == 0) throw build_error("--blocks needs a number above 0, not 0");
  });
  options.value({"preemptions"}, [&place](const std::string& word) {
    place.preemptions = whole_number("--preemptions", word);
  });
  options.value({"time"},
                [&place](const std::string& word) { place.seconds = duration("--time", word); });
  options.value({"budget"}, [&place](const std::string& word) {
    place.budget = word == "0" ? 0 : duration("--budget", word);
  });
  options.flag({"all"}, [&place] { place.checks_all = true; });
  options.flag({"allow-no-kernels"}, [&place] { place.allows_no_kernels = true; });
  options.flag({"leaks"}, [&place] { place.counts_leaks = true; });
  options.flag({"strict"}, [&place] { place.is_strict = true; });
  options.flag({"progress"}, [&place] { place.shows_progress = true; });
}

bool names_json_output(const std::string& word) {
  return word == "-" || word.starts_with("/dev/") || word.ends_with(".json");
}

}  // namespace heddle::frontend
