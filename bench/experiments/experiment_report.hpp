// Rows of the experiments: what was measured of which variant, as a table or as JSON lines.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "support/machine.hpp"

namespace heddle_bench {

class experiment_report {
 public:
  // Takes `--json` and `--only TEXT`; ends the program with a sentence on anything else.
  experiment_report(int count, char** arguments) {
    for (int i = 1; i < count; ++i) {
      if (std::strcmp(arguments[i], "--json") == 0) {
        is_json_ = true;
      } else if (std::strcmp(arguments[i], "--only") == 0 && i + 1 < count) {
        only_ = arguments[++i];
      } else {
        std::fprintf(stderr, "usage: %s [--json] [--only TEXT]\n", arguments[0]);
        std::exit(2);
      }
    }
  }

  // True if the rows of this experiment are asked for.
  bool wants(const std::string& experiment) const {
    return experiment.find(only_) != std::string::npos;
  }

  void head(const machine& here) const { print_machine(here, "experiments", is_json_); }

  void row(const std::string& experiment, const std::string& variant, const std::string& metric,
           const std::string& unit, double value) {
    if (is_json_) {
      std::printf(
          "{\"experiment\": \"%s\", \"variant\": \"%s\", \"metric\": \"%s\", \"unit\": \"%s\", "
          "\"value\": %.5g}\n",
          experiment.c_str(), variant.c_str(), metric.c_str(), unit.c_str(), value);
    } else {
      if (experiment != last_) std::printf("\n%s\n", experiment.c_str());
      std::printf("  %-52s %-28s %12.5g %s\n", variant.c_str(), metric.c_str(), value,
                  unit.c_str());
      last_ = experiment;
    }
    std::fflush(stdout);
  }

 private:
  bool is_json_ = false;
  std::string only_;
  std::string last_;
};

}  // namespace heddle_bench
