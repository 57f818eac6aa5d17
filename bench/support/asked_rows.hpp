// Which rows a bench prints, and in which format.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace heddle_bench {

// The options that all reports share.
class asked_rows {
 public:
  // Takes `--json` and `--only TEXT`; prints the usage and exits on anything else.
  asked_rows(int count, char** arguments) {
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

  // True if --only selects the rows of this case.
  bool wants(const std::string& what) const { return what.find(only_) != std::string::npos; }

 protected:
  bool is_json_ = false;

 private:
  std::string only_;
};

}  // namespace heddle_bench
