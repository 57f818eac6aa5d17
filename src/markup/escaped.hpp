// Text as it may stand in HTML and XML.
#pragma once
#include <string>
#include <string_view>

namespace heddle::markup {

// The text, so that a browser or an XML reader shows it letter by letter, between tags and as the
// value of an attribute in double quotes. Control characters other than the end of a line and the
// tab are left out: XML has no way to write them.
[[nodiscard]] inline std::string escaped(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (const char letter : text) {
    switch (letter) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\n':
      case '\t':
        safe += letter;
        break;
      default:
        if (static_cast<unsigned char>(letter) >= 0x20) safe += letter;
    }
  }
  return safe;
}

}  // namespace heddle::markup
