// Reads PLY, the polygon file format: vertices are points, as text or binary of either byte order.
#include <fmt/core.h>

#include <algorithm>

#include "cloud/fields.hpp"
#include "cloud/ply_header.hpp"
#include "cloud/words.hpp"

namespace heddle::cloud {
namespace {

// Takes the values of a file one after another, from text or binary.
class value_reader {
 public:
  value_reader(const source& file, const ply_header& header)
      : file_(file),
        encoding_(header.encoding),
        lines_(file.bytes, header.body, header.lines),
        at_(header.body) {}

  [[nodiscard]] std::size_t byte() const {
    return encoding_ == ply_encoding::ascii ? lines_.byte() : at_;
  }
  void skip(std::size_t bytes) { at_ += bytes; }

  // Writes the next value to `to`, in the host's byte order.
  void take(scalar type, const std::string& name, char* to) {
    if (encoding_ == ply_encoding::ascii) return take_word_of(type, name, to);
    const std::size_t size = size_of(type);
    file_.need(at_, 1, size, "values");
    std::copy_n(file_.bytes.data() + at_, size, to);
    if (encoding_ == ply_encoding::big_endian) std::reverse(to, to + size);
    at_ += size;
  }

  // The values of lists are not needed.
  void skip_list(const ply_property& list) {
    char value[8];
    take(*list.length, list.name, value);
    const double length = to_double(*list.length, value);
    if (length < 0) fail(fmt::format("the list {} has a negative length", shown(list.name)));
    const auto count = static_cast<std::uint64_t>(length);
    if (encoding_ == ply_encoding::ascii) {
      for (std::uint64_t i = 0; i < count; ++i) take(list.type, list.name, value);
    } else {
      file_.need(at_, count, size_of(list.type), "values of a list");
      at_ += count * size_of(list.type);
    }
  }

  [[noreturn]] void fail(const std::string& sentence) const {
    if (encoding_ == ply_encoding::ascii) file_.fail_at_line(lines_.number(), sentence);
    file_.fail_at_byte(at_, sentence);
  }

 private:
  void take_word_of(scalar type, const std::string& name, char* to) {
    std::string_view word = take_word(rest_);
    while (word.empty()) {
      if (!lines_.next(rest_)) fail("the file ends before its last element");
      word = take_word(rest_);
    }
    if (!parse(word, type, to))
      fail(fmt::format("'{}' is no value for the property {}", shown(word), shown(name)));
  }

  const source& file_;
  ply_encoding encoding_;
  line_reader lines_;
  std::string_view rest_;
  std::size_t at_;
};

bool has_lists(const ply_element& one) {
  return std::any_of(one.properties.begin(), one.properties.end(),
                     [](const ply_property& property) { return property.length.has_value(); });
}

std::vector<field> fields_of(const ply_element& vertices) {
  std::vector<field> fields;
  for (const ply_property& one : vertices.properties)
    if (!one.length) fields.push_back({one.name, one.type});
  return fields;
}

// The smallest size of an element in the file; in text, a value is a character and a blank.
std::size_t least_size(const ply_header& header, const ply_element& one) {
  std::size_t size = 0;
  for (const ply_property& property : one.properties)
    size += header.encoding == ply_encoding::ascii
                ? 2
                : size_of(property.length.value_or(property.type));
  return size;
}

// Walks over the elements and, if `to` is given, copies the scalars of each there.
void walk(value_reader& values, const source& file, const ply_element& one, char* to) {
  char ignored[8];
  for (std::uint64_t i = 0; i < one.count; ++i) {
    if (i % 65536 == 0) file.report_progress(values.byte());
    for (const ply_property& property : one.properties) {
      if (property.length) {
        values.skip_list(property);
      } else if (to == nullptr) {
        values.take(property.type, property.name, ignored);
      } else {
        values.take(property.type, property.name, to);
        to += size_of(property.type);
      }
    }
  }
}

cloud read_vertices(const source& file, const ply_header& header, const ply_element& vertices,
                    value_reader& values) {
  std::vector<field> fields = fields_of(vertices);
  const bool is_text = header.encoding == ply_encoding::ascii;
  if (is_text || has_lists(vertices)) {
    file.expect_whole(is_text ? "its points are text" : "its points have lists");
    std::string records(vertices.count * record_size(fields), '\0');
    walk(values, file, vertices, records.data());
    place_in_records(fields, records.data());
    return cloud_of_fields(file, fields, vertices.count);
  }
  for (field& one : fields) one.is_swapped = header.encoding == ply_encoding::big_endian;
  place_in_records(fields, file.bytes.data() + values.byte());
  std::uint64_t count = vertices.count;
  keep_part(file, fields, count);
  return cloud_of_fields(file, fields, count);
}

}  // namespace

cloud read_ply(const source& file) {
  const ply_header header = read_ply_header(file);
  value_reader values(file, header);
  for (const ply_element& one : header.elements) {
    const std::size_t least = least_size(header, one);
    // The last word of a text needs no blank after it.
    const std::size_t room = file.bytes.size() - values.byte() + 2;
    if (least != 0 && one.count > room / least)
      file.fail_at_byte(values.byte(), fmt::format("the file is too short for {} elements '{}'",
                                                   one.count, shown(one.name)));
    const bool is_vertex = one.name == "vertex";
    if (least == 0) {
      if (is_vertex) file.fail("its vertices have no properties");
      continue;
    }
    if (is_vertex) {
      if (header.encoding != ply_encoding::ascii)
        file.need(values.byte(), one.count, least, "vertices");
      return read_vertices(file, header, one, values);
    }
    walk(values, file, one, nullptr);
  }
  file.fail("it has no element 'vertex'");
}

}  // namespace heddle::cloud
