// The functions of fmt that the reports call. They are inline in its headers; here the compiler has
// to write them out.
#include <fmt/format.h>

#include <string>

namespace heddle_report {
namespace {

using format_function = std::string (*)(fmt::string_view, fmt::format_args);
[[gnu::used]] const format_function format_text = &fmt::vformat;

}  // namespace
}  // namespace heddle_report
