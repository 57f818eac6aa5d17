// Escapes text for HTML and XML.
#pragma once
#include <string>
#include <string_view>

namespace heddle::markup {

// Escapes text for use between tags and in attribute values in double quotes. Drops control
// characters other than newline and tab, which XML cannot represent.
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
