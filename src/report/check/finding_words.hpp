// The sentences of a finding: what is wrong, why, and how to fix it.
#pragma once
#include <string>

#include "report/check/found.hpp"

namespace heddle_report {

struct finding_words {
  std::string what;  // one sentence, no full stop
  std::string why;
  std::string fix;
};

finding_words words_of(const found& what);

}  // namespace heddle_report
