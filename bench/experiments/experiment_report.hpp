// Rows of the experiments: a metric of a variant, as a table or as JSON lines.
#pragma once
#include <cstdio>
#include <string>

#include "support/asked_rows.hpp"
#include "support/machine.hpp"

namespace heddle_bench {

class experiment_report : public asked_rows {
 public:
  using asked_rows::asked_rows;

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
  std::string last_;
};

}  // namespace heddle_bench
