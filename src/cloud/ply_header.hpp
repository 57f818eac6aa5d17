// Parses the header of a PLY file: its elements and their properties.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cloud/source.hpp"

namespace heddle::cloud {

struct ply_property {
  std::string name;
  scalar type = scalar::float32;
  std::optional<scalar> length;  // for a list: the type of its length
};

struct ply_element {
  std::string name;
  std::uint64_t count = 0;
  std::vector<ply_property> properties;
};

enum class ply_encoding { ascii, little_endian, big_endian };

struct ply_header {
  std::vector<ply_element> elements;
  ply_encoding encoding = ply_encoding::ascii;
  std::size_t body = 0;   // the first byte after the header
  std::size_t lines = 0;  // in the header
};

[[nodiscard]] ply_header read_ply_header(const source& file);

}  // namespace heddle::cloud
