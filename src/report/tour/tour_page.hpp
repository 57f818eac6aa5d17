// The files of the tour's page, embedded in the program.
#pragma once
#include <string_view>

namespace heddle_report {

extern const std::string_view tour_html;
extern const std::string_view tour_css;
extern const std::string_view tour_js;
extern const std::string_view tour_charts;  // the plotting library; empty if built without

}  // namespace heddle_report
