// Columns that all parts of a cloud have: in a text, what is a word in one part is a number in
// another, and columns with words are left out.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "cloud/cloud.hpp"

namespace heddle::cloud {

[[nodiscard]] inline std::vector<std::string> names_of_columns(const cloud& part) {
  std::vector<std::string> names;
  for (const column& one : part.columns) names.push_back(one.name);
  return names;
}

// Leaves out the columns whose names some part has not, or not as often as another.
inline void keep_common_columns(cloud& part,
                                const std::vector<std::vector<std::string>>& names_of_parts) {
  const std::vector<std::string> own = names_of_columns(part);
  std::erase_if(part.columns, [&](const column& one) {
    const auto times = std::count(own.begin(), own.end(), one.name);
    return std::any_of(names_of_parts.begin(), names_of_parts.end(), [&](const auto& names) {
      return std::count(names.begin(), names.end(), one.name) != times;
    });
  });
}

}  // namespace heddle::cloud
