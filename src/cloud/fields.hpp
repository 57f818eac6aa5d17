// From values that lie somewhere in a file to a cloud.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cloud/source.hpp"

namespace heddle::cloud {

// Where a field of the points lies: `width` values for each, `stride` bytes from one point's to the
// next one's. What it points to stays where it is while the cloud is made.
struct field {
  std::string name;
  scalar type = scalar::float32;
  std::size_t width = 1;
  const char* first = nullptr;
  std::size_t stride = 0;
  bool is_swapped = false;  // bytes are the other way round than in memory
};

// Fields that follow each other in records without gaps: the size of a record.
[[nodiscard]] std::size_t record_size(const std::vector<field>& fields);

// Sets `first` and `stride` of such fields.
void place_in_records(std::vector<field>& fields, const char* records);

// Makes fields and count those of the part that is wanted.
void keep_part(const source& file, std::vector<field>& fields, std::uint64_t& count);

// Takes x, y and z for the points and all others as columns. A z that does not exist is 0 if
// `has_plane_points`.
//   throws   error if there is no such field, or if it is more than one value
[[nodiscard]] cloud cloud_of_fields(const source& file, const std::vector<field>& fields,
                                    std::size_t count, bool has_plane_points = false);

}  // namespace heddle::cloud
