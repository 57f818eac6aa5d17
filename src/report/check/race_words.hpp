// Writes the sentences of a race, which depend on how far apart its two sides are.
#pragma once
#include "report/check/finding_words.hpp"

namespace heddle_report {

finding_words words_of_race(const found& what);

}  // namespace heddle_report
