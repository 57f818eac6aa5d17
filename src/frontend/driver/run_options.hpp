// The options of `heddle run` that concern its report.
#pragma once
#include <string>

namespace heddle::frontend {

struct run_options {
  bool prints_report = false;  // after the run, to standard error
  std::string report_file;     // for the text; empty: none
  bool writes_json = false;
  std::string json_file;  // empty: standard output
};

}  // namespace heddle::frontend
