// From a cloud and the labels of its points to a file.
#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "cloud/cloud.hpp"
#include "cloud/error.hpp"

namespace heddle::cloud {

enum class encoding { binary, packed, ascii };

// Writes PCD, PLY or CSV with the coordinates and columns that the cloud was read with and a field
// `label`, or the labels alone as NPY (int32), by the name's end. PLY has no `packed`, and CSV and
// NPY have one encoding each. What is not a file (`-`, a device, a pipe) gets CSV unless its name
// ends otherwise. A column `label` that was there before is left out.
//   throws   error, files::write_error; then the file that was there before is unchanged
void write_cloud(const std::filesystem::path& path, const cloud& points,
                 std::span<const std::int32_t> labels, encoding how = encoding::binary);

// The same, to memory.
[[nodiscard]] std::string bytes_of_cloud(const std::filesystem::path& path, const cloud& points,
                                         std::span<const std::int32_t> labels,
                                         encoding how = encoding::binary);

// The points of a cloud whose parts are written by several: how many there are in all, and whether
// these are the first ones.
struct cloud_part {
  std::uint64_t points_in_all = 0;
  bool is_first = true;
  bool has_exact = false;  // the coordinates of all parts are doubles
};

// What a part adds to the file; the parts' bytes behind each other are those of bytes_of_cloud for
// the whole cloud, whose columns all parts have.
//   throws   error for `packed`, which cannot be made of parts
[[nodiscard]] std::string bytes_of_part(const std::filesystem::path& path, const cloud& points,
                                        std::span<const std::int32_t> labels, encoding how,
                                        const cloud_part& part);

// Ends with an error if write_cloud has no format for the name: before the work, not after it.
void expect_known_output(const std::filesystem::path& path);

}  // namespace heddle::cloud
