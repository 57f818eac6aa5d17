// Reads PCD, the format of the Point Cloud Library: as text, binary, or compressed binary.
#include <fmt/core.h>

#include <charconv>
#include <cstring>
#include <limits>
#include <optional>

#include "cloud/lzf.hpp"
#include "cloud/text_records.hpp"

namespace heddle::cloud {
namespace {

struct pcd_header {
  std::vector<field> fields;
  std::uint64_t points = 0;
  std::string encoding;
  std::size_t body = 0;  // the first byte after the header
  std::size_t lines = 0;
};

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (auto word = take_word(line); !word.empty(); word = take_word(line)) words.push_back(word);
  return words;
}

class header_reader {
 public:
  explicit header_reader(const source& file) : file_(file), lines_(file.bytes) {}

  pcd_header read() {
    std::string_view line;
    while (lines_.next(line)) {
      const std::vector<std::string_view> words = words_of(line);
      if (words.empty() || words[0].starts_with('#')) continue;
      if (words[0] == "DATA") return finish(words);
      take(words);
    }
    file_.fail("its header has no line DATA");
  }

 private:
  [[noreturn]] void fail(const std::string& sentence) const {
    file_.fail_at_line(lines_.number(), sentence);
  }

  std::uint64_t number(std::string_view word) const {
    std::uint64_t value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc{} || end != word.data() + word.size())
      fail(fmt::format("'{}' is no count", shown(word)));
    return value;
  }

  // The single number of a line.
  std::uint64_t only_number(const std::vector<std::string_view>& words) const {
    if (words.size() != 2) fail(fmt::format("{} takes one number", shown(words[0])));
    return number(words[1]);
  }

  std::vector<std::uint64_t> numbers(const std::vector<std::string_view>& words) const {
    std::vector<std::uint64_t> values;
    for (std::size_t i = 1; i < words.size(); ++i) values.push_back(number(words[i]));
    return values;
  }

  void take(const std::vector<std::string_view>& words) {
    const std::string_view key = words[0];
    if (key == "FIELDS" || key == "COLUMNS") {
      names_.assign(words.begin() + 1, words.end());
    } else if (key == "SIZE") {
      sizes_ = numbers(words);
    } else if (key == "TYPE") {
      types_.assign(words.begin() + 1, words.end());
    } else if (key == "COUNT") {
      widths_ = numbers(words);
    } else if (key == "WIDTH") {
      width_ = only_number(words);
    } else if (key == "HEIGHT") {
      height_ = only_number(words);
    } else if (key == "POINTS") {
      points_ = only_number(words);
    } else if (key != "VERSION" && key != "VIEWPOINT") {
      fail(fmt::format("a PCD header has no line '{}'", shown(key)));
    }
  }

  scalar type_of(std::size_t i) const {
    const std::string_view type = types_[i];
    const std::uint64_t size = sizes_[i];
    if (type == "F" && size == 4) return scalar::float32;
    if (type == "F" && size == 8) return scalar::float64;
    if (type == "I" || type == "U") {
      const bool is_signed = type == "I";
      if (size == 1) return is_signed ? scalar::int8 : scalar::uint8;
      if (size == 2) return is_signed ? scalar::int16 : scalar::uint16;
      if (size == 4) return is_signed ? scalar::int32 : scalar::uint32;
      if (size == 8) return is_signed ? scalar::int64 : scalar::uint64;
    }
    file_.fail(fmt::format("the field {} has TYPE {} and SIZE {}, which is no type of PCD",
                           shown(names_[i]), shown(type), size));
  }

  pcd_header finish(const std::vector<std::string_view>& words) const {
    if (words.size() != 2) fail("DATA takes one word");
    if (names_.empty()) fail("the header has no line FIELDS");
    if (sizes_.size() != names_.size() || types_.size() != names_.size() ||
        (!widths_.empty() && widths_.size() != names_.size()))
      fail(fmt::format("the header names {} fields, but SIZE, TYPE or COUNT have another number",
                       names_.size()));
    pcd_header header;
    header.encoding = words[1];
    header.body = lines_.byte();
    header.lines = lines_.number();
    std::uint64_t values = 0;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::uint64_t width = widths_.empty() ? 1 : widths_[i];
      // A point cannot have more values than the file has bytes. This keeps sums of sizes small.
      if (width > file_.bytes.size() - values)
        fail(fmt::format("COUNT {} for the field {} is more than the file has bytes", width,
                         shown(names_[i])));
      values += width;
      header.fields.push_back({std::string(names_[i]), type_of(i), width});
    }
    header.points = count();
    return header;
  }

  std::uint64_t count() const {
    if (!width_) {
      if (!points_) fail("the header has neither POINTS nor WIDTH");
      return *points_;
    }
    const std::uint64_t height = height_.value_or(1);
    if (height != 0 && *width_ > std::numeric_limits<std::uint64_t>::max() / height)
      fail(fmt::format("WIDTH {} times HEIGHT {} is too large", *width_, height));
    const std::uint64_t product = *width_ * height;
    if (points_ && *points_ != product)
      fail(fmt::format("POINTS is {}, but WIDTH times HEIGHT is {}", *points_, product));
    return product;
  }

  const source& file_;
  line_reader lines_;
  std::vector<std::string_view> names_, types_;
  std::vector<std::uint64_t> sizes_, widths_;
  std::optional<std::uint64_t> width_, height_, points_;
};

cloud read_packed(const source& file, pcd_header& header) {
  file.expect_whole("its points are packed");
  std::uint32_t sizes[2];  // packed, unpacked
  file.need(header.body, 1, sizeof sizes, "the sizes of the packed points");
  std::memcpy(sizes, file.bytes.data() + header.body, sizeof sizes);
  const std::size_t body = header.body + sizeof sizes;
  file.need(body, 1, sizes[0], "the packed points");
  const std::uint64_t record = record_size(header.fields);
  if (record != 0 ? header.points != sizes[1] / record || sizes[1] % record != 0 : sizes[1] != 0)
    file.fail_at_byte(header.body + 4,
                      fmt::format("the packed points have {} bytes, not those of {} points with {}",
                                  sizes[1], header.points, record));
  std::string text;
  if (!unpack_lzf(file.bytes.substr(body, sizes[0]), sizes[1], text))
    file.fail_at_byte(body, "the packed points are broken");
  // Field by field, each for all points.
  const char* from = text.data();
  for (field& one : header.fields) {
    one.first = from;
    one.stride = one.width * size_of(one.type);
    from += one.stride * header.points;
  }
  return cloud_of_fields(file, header.fields, header.points);
}

}  // namespace

cloud read_pcd(const source& file) {
  pcd_header header = header_reader(file).read();
  if (header.encoding == "binary_compressed") return read_packed(file, header);
  std::string records;
  if (header.encoding == "binary") {
    const std::size_t record = record_size(header.fields);
    if (record == 0) file.fail("its points have no values");
    file.need(header.body, header.points, record, "points");
    place_in_records(header.fields, file.bytes.data() + header.body);
    keep_part(file, header.fields, header.points);
  } else if (header.encoding == "ascii") {
    file.expect_whole("its points are text");
    line_reader lines(file.bytes, header.body, header.lines);
    records = records_of_lines(file, lines, header.fields, header.points);
    std::string_view line;
    if (lines.next_filled(line))
      file.fail_at_line(lines.number(), fmt::format("more than the {} points that the header names",
                                                    header.points));
    place_in_records(header.fields, records.data());
  } else {
    file.fail(fmt::format("DATA is '{}', not ascii, binary or binary_compressed",
                          shown(header.encoding)));
  }
  return cloud_of_fields(file, header.fields, header.points);
}

}  // namespace heddle::cloud
