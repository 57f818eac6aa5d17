// Says why a launch is refused.
#pragma once
#include <string>
#include <string_view>

#include <heddle_host/finding_fact.hpp>

namespace heddle_report {

// As reports name it. Of no name: `none`.
const char* name_of(heddle_host::launch_limit which);
heddle_host::launch_limit launch_limit_named(std::string_view name);

struct refusal_words {
  std::string why;
  std::string fix;
};
// Of a limit that is not `none`.
refusal_words words_of(const heddle_host::exceeded_limit& limit);

}  // namespace heddle_report
