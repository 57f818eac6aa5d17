// The files of the tour's page, as they are in the program.
#pragma once
#include <string_view>

namespace heddle_report {

extern const std::string_view tour_html;
extern const std::string_view tour_css;
extern const std::string_view tour_js;
extern const std::string_view tour_charts;  // the library that draws; empty if it was not there

}  // namespace heddle_report
