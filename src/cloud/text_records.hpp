// Values of a text as records in memory, one after the other.
#pragma once
#include <string>
#include <vector>

#include "cloud/fields.hpp"
#include "cloud/words.hpp"

namespace heddle::cloud {

// Appends a record for each of `count` lines with words in them, starting behind the reader's last
// line; each line has one word for each value of the fields.
//   throws   error for lines that are missing, too short or too long, and words that are no numbers
[[nodiscard]] std::string records_of_lines(const source& file, line_reader& lines,
                                           const std::vector<field>& fields, std::size_t count);

}  // namespace heddle::cloud
