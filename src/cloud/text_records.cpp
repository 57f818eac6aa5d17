// Parses the lines of a text into records in memory.
#include "cloud/text_records.hpp"

#include <fmt/core.h>

namespace heddle::cloud {

std::string records_of_lines(const source& file, line_reader& lines,
                             const std::vector<field>& fields, std::size_t count) {
  std::size_t words = 0;
  for (const field& one : fields) words += one.width;
  // A word takes at least one character and a separator.
  const std::uint64_t room = file.bytes.size() - lines.byte() + 1;
  if (words == 0 || count > room / 2 / words)
    file.fail(fmt::format("it is too short for the {} points that its header names", count));
  std::string records(count * record_size(fields), '\0');
  char* to = records.data();
  std::string_view line;
  for (std::size_t point = 0; point < count; ++point) {
    if (point % 65536 == 0) file.report_progress(lines.byte());
    if (!lines.next_filled(line))
      file.fail_at_line(lines.number(),
                        fmt::format("the file ends after {} of {} points", point, count));
    for (const field& one : fields) {
      const std::size_t size = size_of(one.type);
      for (std::size_t value = 0; value < one.width; ++value, to += size) {
        const std::string_view word = take_word(line);
        if (word.empty())
          file.fail_at_line(lines.number(), fmt::format("it has fewer than {} values", words));
        if (!parse(word, one.type, to))
          file.fail_at_line(lines.number(), fmt::format("'{}' is no value for the field {}",
                                                        shown(word), shown(one.name)));
      }
    }
    if (!take_word(line).empty())
      file.fail_at_line(lines.number(), fmt::format("it has more than {} values", words));
  }
  return records;
}

}  // namespace heddle::cloud
