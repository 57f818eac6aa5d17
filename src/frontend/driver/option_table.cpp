// Splits the values of options.
#include "frontend/driver/option_table.hpp"

namespace heddle::frontend {

std::vector<std::string> split(const std::string& text, std::string_view separators) {
  std::vector<std::string> parts;
  std::string part;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',') {
      part += text[++i];
    } else if (separators.find(text[i]) != std::string_view::npos) {
      if (!part.empty()) parts.push_back(part);
      part.clear();
    } else {
      part += text[i];
    }
  }
  if (!part.empty()) parts.push_back(part);
  return parts;
}

}  // namespace heddle::frontend
