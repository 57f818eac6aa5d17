// An LZF reader of a few lines, to compare others with.
#pragma once
#include <cstddef>
#include <stdexcept>
#include <string>

namespace heddle_test {

// Unpacks LZF: literals, and copies of earlier output.
inline std::string unpack(const std::string& packed, std::size_t size) {
  std::string text;
  for (std::size_t at = 0; at < packed.size();) {
    const auto next = [&] { return static_cast<unsigned char>(packed.at(at++)); };
    const unsigned control = next();
    if (control < 32) {
      text += packed.substr(at, control + 1);
      at += control + 1;
      continue;
    }
    std::size_t length = control >> 5;
    if (length == 7) length += next();
    const std::size_t distance = ((control & 31) << 8) + next() + 1;
    for (length += 2; length > 0; --length) text += text.at(text.size() - distance);
  }
  if (text.size() != size) throw std::runtime_error("a packed cloud is broken");
  return text;
}

}  // namespace heddle_test
