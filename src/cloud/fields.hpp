// Makes a cloud from fields that lie anywhere in a file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cloud/source.hpp"

namespace heddle::cloud {

// Where a field of the points lies: `width` values per point, `stride` bytes from one point to the
// next. Its memory must stay valid while the cloud is made.
struct field {
  std::string name;
  scalar type = scalar::float32;
  std::size_t width = 1;
  const char* first = nullptr;
  std::size_t stride = 0;
  bool is_swapped = false;  // not in the host's byte order
};

// The size of a record in which these fields follow each other without gaps.
[[nodiscard]] std::size_t record_size(const std::vector<field>& fields);

// Sets `first` and `stride` of such fields.
void place_in_records(std::vector<field>& fields, const char* records);

// Restricts the fields and the count to the requested part.
void keep_part(const source& file, std::vector<field>& fields, std::uint64_t& count);

// Takes x, y and z as the points and all other fields as columns. A missing z is 0 if
// `has_plane_points`.
//   throws   error if a coordinate is missing or has more than one value
[[nodiscard]] cloud cloud_of_fields(const source& file, const std::vector<field>& fields,
                                    std::size_t count, bool has_plane_points = false);

}  // namespace heddle::cloud
