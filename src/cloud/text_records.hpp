// Parses the lines of a text into records in memory.
#pragma once
#include <string>
#include <vector>

#include "cloud/fields.hpp"
#include "cloud/words.hpp"

namespace heddle::cloud {

// A record for each of the `count` next non-empty lines. Each line has one word for each value of
// the fields.
//   throws   error for lines that are missing, too short or too long, and words that are not
//   numbers
[[nodiscard]] std::string records_of_lines(const source& file, line_reader& lines,
                                           const std::vector<field>& fields, std::size_t count);

}  // namespace heddle::cloud
