// The files of the viewer, embedded in the program.
#pragma once
#include <string_view>

namespace heddle::cloud {

extern const std::string_view viewer_html;
extern const std::string_view viewer_css;
extern const std::string_view viewer_js;

}  // namespace heddle::cloud
