// The files of the tour's page, as they are in the program: each in parts, since a string literal
// may not be long.
#pragma once
#include <span>
#include <string_view>

namespace heddle_report {

extern const std::span<const std::string_view> tour_html;
extern const std::span<const std::string_view> tour_css;
extern const std::span<const std::string_view> tour_js;
extern const std::span<const std::string_view>
    tour_charts;  // the library; empty if it is not there

}  // namespace heddle_report
