// Keeps the columns that all parts of a cloud have. In a text, a column may contain words in one
// part and only numbers in another, and columns with words are dropped.
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

// Drops the columns whose name is missing in some part, or is there less often than in another.
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
