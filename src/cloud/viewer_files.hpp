// The files of the viewer, as they are in the program.
#pragma once
#include <string_view>

namespace heddle::cloud {

extern const std::string_view viewer_html;
extern const std::string_view viewer_css;
extern const std::string_view viewer_js;

}  // namespace heddle::cloud
