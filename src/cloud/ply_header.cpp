// Parses the header of a PLY file: its elements and their properties.
#include "cloud/ply_header.hpp"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <utility>

#include "cloud/words.hpp"

namespace heddle::cloud {
namespace {

constexpr std::array<std::pair<std::string_view, scalar>, 16> types{{{"char", scalar::int8},
                                                                     {"uchar", scalar::uint8},
                                                                     {"short", scalar::int16},
                                                                     {"ushort", scalar::uint16},
                                                                     {"int", scalar::int32},
                                                                     {"uint", scalar::uint32},
                                                                     {"float", scalar::float32},
                                                                     {"double", scalar::float64},
                                                                     {"int8", scalar::int8},
                                                                     {"uint8", scalar::uint8},
                                                                     {"int16", scalar::int16},
                                                                     {"uint16", scalar::uint16},
                                                                     {"int32", scalar::int32},
                                                                     {"uint32", scalar::uint32},
                                                                     {"float32", scalar::float32},
                                                                     {"float64", scalar::float64}}};

class header_reader {
 public:
  explicit header_reader(const source& file) : file_(file), lines_(file.bytes) {}

  ply_header read() {
    std::string_view line;
    if (!lines_.next(line) || take_word(line) != "ply") fail("a PLY file begins with 'ply'");
    bool has_format = false;
    while (lines_.next(line)) {
      const std::string_view key = take_word(line);
      if (key == "end_header") {
        if (!has_format) fail("the header has no line format");
        header_.body = lines_.byte();
        header_.lines = lines_.number();
        return std::move(header_);
      }
      if (key == "format") {
        take_format(line);
        has_format = true;
      } else if (key == "element") {
        take_element(line);
      } else if (key == "property") {
        take_property(line);
      } else if (!key.empty() && key != "comment" && key != "obj_info") {
        fail(fmt::format("a PLY header has no line '{}'", shown(key)));
      }
    }
    file_.fail("its header has no line end_header");
  }

 private:
  [[noreturn]] void fail(const std::string& sentence) const {
    file_.fail_at_line(lines_.number(), sentence);
  }

  void take_format(std::string_view rest) {
    const std::string_view word = take_word(rest);
    if (word == "ascii") {
      header_.encoding = ply_encoding::ascii;
    } else if (word == "binary_little_endian") {
      header_.encoding = ply_encoding::little_endian;
    } else if (word == "binary_big_endian") {
      header_.encoding = ply_encoding::big_endian;
    } else {
      fail(fmt::format("there is no format '{}' of PLY", shown(word)));
    }
  }

  void take_element(std::string_view rest) {
    ply_element made;
    made.name = take_word(rest);
    const std::string_view count = take_word(rest);
    const auto [end, code] = std::from_chars(count.data(), count.data() + count.size(), made.count);
    if (made.name.empty() || code != std::errc{} || end != count.data() + count.size())
      fail(fmt::format("'{}' is no count of elements", shown(count)));
    header_.elements.push_back(std::move(made));
  }

  scalar type_of(std::string_view word) const {
    for (const auto& [name, type] : types)
      if (name == word) return type;
    fail(fmt::format("there is no type '{}' in PLY", shown(word)));
  }

  void take_property(std::string_view rest) {
    if (header_.elements.empty()) fail("a property stands before the first element");
    ply_property made;
    std::string_view word = take_word(rest);
    if (word == "list") {
      made.length = type_of(take_word(rest));
      if (is_float(*made.length)) fail("the length of a list is a whole number");
      word = take_word(rest);
    }
    made.type = type_of(word);
    made.name = take_word(rest);
    if (made.name.empty()) fail("a property has no name");
    header_.elements.back().properties.push_back(std::move(made));
  }

  const source& file_;
  line_reader lines_;
  ply_header header_;
};

}  // namespace

ply_header read_ply_header(const source& file) { return header_reader(file).read(); }

}  // namespace heddle::cloud
