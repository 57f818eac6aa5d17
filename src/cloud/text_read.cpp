// Reads text with a point per line (CSV, XYZ, …), separated by commas, semicolons or blanks.
#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "cloud/fields.hpp"
#include "cloud/words.hpp"

namespace heddle::cloud {
namespace {

bool is_comment(std::string_view line) {
  const std::string_view word = take_word(line);
  return word.starts_with('#') || word.starts_with("//");
}

// Takes the next word off a line; the separator ' ' stands for any number of blanks.
std::string_view take_cell(std::string_view& line, char separator) {
  if (separator == ' ') return take_word(line);
  const std::size_t end = std::min(line.find(separator), line.size());
  std::string_view word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  while (!word.empty() && is_blank(word.front())) word.remove_prefix(1);
  while (!word.empty() && is_blank(word.back())) word.remove_suffix(1);
  if (word.size() >= 2 && word.front() == '"' && word.back() == '"')
    word = word.substr(1, word.size() - 2);
  return word;
}

bool is_number(std::string_view word) {
  char value[8];
  return parse(word, scalar::float64, value);
}

class text_reader {
 public:
  // Skips the byte order mark at the start of some UTF-8 texts.
  explicit text_reader(const source& file)
      : file_(file), lines_(file.bytes, file.bytes.starts_with("\xef\xbb\xbf") ? 3 : 0) {}

  cloud read() {
    std::string_view line;
    if (!next_line(line)) file_.fail("there is no point in it");
    begin(line);
    go_to_part(static_cast<std::size_t>(line.data() - file_.bytes.data()));
    while (next_line(line)) {
      if (points_++ % 65536 == 0) file_.report_progress(lines_.byte());
      take(line);
    }
    return finish();
  }

 private:
  [[noreturn]] void fail(const std::string& sentence) const {
    // The lines before this part have not been counted, so the line number is unknown.
    if (file_.part.number > 0) file_.fail_at_byte(line_begin_, sentence);
    file_.fail_at_line(lines_.number(), sentence);
  }

  // The beginning of the first line that starts at or after `byte`.
  [[nodiscard]] std::size_t line_from(std::size_t byte) const {
    if (byte == 0) return 0;
    const std::size_t end = file_.bytes.find('\n', byte - 1);
    return end == file_.bytes.npos ? file_.bytes.size() : end + 1;
  }

  // Continues with the lines that begin in this part of the file, from the first point on.
  void go_to_part(std::size_t first_point) {
    const std::size_t begin = line_from(file_.begin_of_part(file_.bytes.size()));
    const std::size_t end = line_from(file_.end_of_part(file_.bytes.size()));
    values_.reserve(fields_.size());  // so that data() is not null without points
    lines_ =
        line_reader(file_.bytes.substr(0, end), std::max(begin, first_point), lines_.number() - 1);
  }

  [[nodiscard]] bool next_line(std::string_view& line) {
    while (lines_.next_filled(line)) {
      line_begin_ = static_cast<std::size_t>(line.data() - file_.bytes.data());
      if (!is_comment(line)) return true;
    }
    return false;
  }

  // Determines the separator and the column names. Leaves `line` at the first point.
  void begin(std::string_view& line) {
    for (const char candidate : {';', ',', '\t'})
      if (separator_ == ' ' && line.find(candidate) != line.npos) separator_ = candidate;
    // Tabs count as blanks, since files mix the two.
    if (separator_ == '\t') separator_ = ' ';
    std::vector<std::string_view> words;
    for (std::string_view rest = line; !rest.empty();) {
      const std::string_view word = take_cell(rest, separator_);
      if (word.empty() && rest.empty()) break;  // trailing separator
      words.push_back(word);
    }
    const bool has_names = !std::all_of(words.begin(), words.end(), is_number);
    for (std::size_t i = 0; i < words.size(); ++i)
      fields_.push_back({has_names ? std::string(words[i])
                         : i < 3   ? std::string(1, "xyz"[i])
                                   : fmt::format("column_{}", i),
                         scalar::float64});
    if (has_names) begin_with_names(line);
    if (fields_.size() < 2) fail("a line has two or three coordinates at least");
    is_text_.assign(fields_.size(), false);
    for (const field& one : fields_) is_axis_.push_back(is_axis(one));
  }

  static bool is_axis(const field& one) {
    return one.name.size() == 1 && (one.name[0] | 0x20) >= 'x' && (one.name[0] | 0x20) <= 'z';
  }

  void begin_with_names(std::string_view& line) {
    const bool has_axes = std::count_if(fields_.begin(), fields_.end(), is_axis) >= 2;
    if (!has_axes)
      fail(fmt::format("'{}' is no number, and the line does not name x, y and z",
                       shown(first_that_is_no_number())));
    if (!next_line(line)) file_.fail("there is no point in it");
  }

  [[nodiscard]] std::string_view first_that_is_no_number() const {
    for (const field& one : fields_)
      if (!is_number(one.name)) return one.name;
    return {};
  }

  void take(std::string_view line) {
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const bool is_missing = line.empty();
      const std::string_view word = take_cell(line, separator_);
      if (word.empty() && (is_missing || separator_ == ' '))
        fail(fmt::format("it has fewer than {} values", fields_.size()));
      double value = std::numeric_limits<double>::quiet_NaN();
      const bool is_left_empty = word.empty() && !is_axis_[i];
      if (!is_left_empty && !parse(word, scalar::float64, reinterpret_cast<char*>(&value))) {
        if (is_axis_[i]) fail(fmt::format("'{}' is no number", shown(word)));
        is_text_[i] = true;
      }
      values_.push_back(value);
    }
    if (!take_cell(line, separator_).empty())
      fail(fmt::format("it has more than {} values", fields_.size()));
  }

  cloud finish() {
    place_in_records(fields_, reinterpret_cast<const char*>(values_.data()));
    std::vector<field> kept;
    for (std::size_t i = 0; i < fields_.size(); ++i)
      if (!is_text_[i]) kept.push_back(fields_[i]);
    return cloud_of_fields(file_, kept, points_, true);
  }

  const source& file_;
  line_reader lines_;
  std::size_t line_begin_ = 0;
  char separator_ = ' ';
  std::vector<field> fields_;
  std::vector<bool> is_text_;  // columns with words, which are dropped
  std::vector<bool> is_axis_;
  std::vector<double> values_;
  std::size_t points_ = 0;
};

}  // namespace

cloud read_text(const source& file) { return text_reader(file).read(); }

}  // namespace heddle::cloud
