// Formats numbers with separators for thousands.
#pragma once
#include <cstddef>
#include <string>

namespace heddle::cloud {

// 1234567 as 1,234,567.
[[nodiscard]] inline std::string grouped(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

}  // namespace heddle::cloud
