// What is wrong, why, and what helps: the sentences of a finding.
#pragma once
#include <string>

#include "report/found.hpp"

namespace heddle_report {

struct finding_words {
  std::string what;  // one sentence, without a full stop
  std::string why;
  std::string fix;
};

finding_words words_of(const found& what);

}  // namespace heddle_report
