// Fills the placeholders of a page.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::markup {

// Replaces each placeholder `{{name}}` of the page by the text of that name, or by nothing if there
// is none. The texts are not escaped, and `{{` within a text stays as it is.
[[nodiscard]] inline std::string filled(
    std::string_view page, const std::vector<std::pair<std::string_view, std::string>>& texts) {
  std::string result;
  for (;;) {
    const std::size_t begin = page.find("{{");
    const std::size_t end = page.find("}}", begin);
    result += page.substr(0, end == page.npos ? page.npos : begin);
    if (end == page.npos) return result;
    const std::string_view name = page.substr(begin + 2, end - begin - 2);
    const auto found = std::find_if(texts.begin(), texts.end(),
                                    [&](const auto& text) { return text.first == name; });
    if (found != texts.end()) result += found->second;
    page.remove_prefix(end + 2);
  }
}

}  // namespace heddle::markup
