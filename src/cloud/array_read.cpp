// Reads files that are arrays of numbers: NumPy's NPY, and KITTI's .bin.
#include <fmt/core.h>

#include <charconv>
#include <cstring>

#include "cloud/fields.hpp"

namespace heddle::cloud {
namespace {

// NumPy's header is a Python dictionary as text; this parses the few constructs it uses.
class dictionary {
 public:
  dictionary(const source& file, std::string_view text) : file_(file), text_(text) {}

  // The text after a key, from the first character of its value.
  [[nodiscard]] std::string_view behind(std::string_view key) const {
    for (const char quote : {'\'', '"'}) {
      const std::size_t at = text_.find(quote + std::string(key) + quote);
      if (at == text_.npos) continue;
      std::size_t colon = text_.find(':', at + key.size() + 2);
      if (colon == text_.npos) break;
      colon = text_.find_first_not_of(" \t", colon + 1);
      if (colon != text_.npos) return text_.substr(colon);
    }
    file_.fail(fmt::format("its header has no '{}'", key));
  }

  [[nodiscard]] std::string_view type() const {
    const std::string_view value = behind("descr");
    if (value.starts_with('['))
      file_.fail("it is a structured array; an array with a row of numbers for each point is read");
    const std::size_t end = value.find(value[0], 1);
    if ((value[0] != '\'' && value[0] != '"') || end == value.npos)
      file_.fail("its header has no type that can be read");
    return value.substr(1, end - 1);
  }

  [[nodiscard]] std::vector<std::uint64_t> shape() const {
    std::string_view value = behind("shape");
    if (!value.starts_with('(')) file_.fail("its header has no shape that can be read");
    std::vector<std::uint64_t> sizes;
    for (value.remove_prefix(1);;) {
      value.remove_prefix(std::min(value.find_first_not_of(" ,"), value.size()));
      if (value.starts_with(')')) return sizes;
      std::uint64_t size = 0;
      const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), size);
      if (code != std::errc{}) file_.fail("its header has no shape that can be read");
      sizes.push_back(size);
      value.remove_prefix(static_cast<std::size_t>(end - value.data()));
    }
  }

 private:
  const source& file_;
  std::string_view text_;
};

std::string name_of_column(std::size_t number) {
  return number < 3 ? std::string(1, "xyz"[number]) : fmt::format("column_{}", number);
}

}  // namespace

cloud read_npy(const source& file) {
  file.need(0, 1, 10, "a header of NPY");
  if (!file.bytes.starts_with("\x93NUMPY")) file.fail_at_byte(0, "it does not begin as NPY does");
  const unsigned version = static_cast<unsigned char>(file.bytes[6]);
  if (version < 1 || version > 3)
    file.fail_at_byte(6, fmt::format("it is NPY {}; 1, 2 and 3 can be read", version));
  const std::size_t begin = version == 1 ? 10 : 12;
  file.need(0, 1, begin, "a header of NPY");
  std::uint32_t length = 0;
  std::memcpy(&length, file.bytes.data() + 8, begin - 8);
  file.need(begin, 1, length, "a header of NPY");
  const dictionary header(file, file.bytes.substr(begin, length));
  const std::string_view type = header.type();
  if (type != "<f4" && type != "<f8" && type != ">f4" && type != ">f8")
    file.fail(
        fmt::format("its numbers have the type '{}'; float32 and float64 are read", shown(type)));
  const std::vector<std::uint64_t> shape = header.shape();
  if (shape.size() != 2 || shape[1] < 2)
    file.fail("it is no array of rows with two or more numbers, one row for each point");
  const scalar scalar_type = type[2] == '4' ? scalar::float32 : scalar::float64;
  const std::size_t size = size_of(scalar_type), body = begin + length;
  std::uint64_t points = shape[0];
  const std::uint64_t columns = shape[1];
  if (columns > file.bytes.size())
    file.fail(fmt::format("its rows have {} numbers, more than the file has bytes", columns));
  file.need(body, points, columns * size, "rows");
  const bool is_by_column = header.behind("fortran_order").starts_with("True");
  std::vector<field> fields;
  for (std::size_t i = 0; points != 0 && i < columns; ++i) {
    const std::size_t first = is_by_column ? i * points * size : i * size;
    fields.push_back({name_of_column(i), scalar_type, 1, file.bytes.data() + body + first,
                      is_by_column ? size : columns * size, type[0] == '>'});
  }
  // Without points, nothing confirms the number of columns.
  if (points == 0) return {};
  keep_part(file, fields, points);
  return cloud_of_fields(file, fields, points, true);
}

cloud read_kitti(const source& file) {
  constexpr std::size_t record = 4 * sizeof(float);
  if (file.bytes.size() % record != 0)
    file.fail(fmt::format("its {} bytes are no whole number of points, each x y z intensity in 16",
                          file.bytes.size()));
  std::vector<field> fields{{"x"}, {"y"}, {"z"}, {"intensity"}};
  place_in_records(fields, file.bytes.data());
  std::uint64_t points = file.bytes.size() / record;
  keep_part(file, fields, points);
  return cloud_of_fields(file, fields, points);
}

}  // namespace heddle::cloud
