// Writes a point cloud and its labels to a file.
#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "cloud/cloud.hpp"
#include "cloud/error.hpp"

namespace heddle::cloud {

enum class encoding { binary, packed, ascii };

// Writes PCD, PLY or CSV with the cloud's original coordinates and columns and a field `label`, or
// the labels alone as NPY (int32); the file name decides. PLY has no `packed`, and CSV and NPY have
// one encoding each. Streams (`-`, a device, a pipe) get CSV unless the name ends otherwise. An
// existing column `label` is dropped.
//   throws   error, files::write_error; an existing file is then unchanged
void write_cloud(const std::filesystem::path& path, const cloud& points,
                 std::span<const std::int32_t> labels, encoding how = encoding::binary);

// The same, to memory.
[[nodiscard]] std::string bytes_of_cloud(const std::filesystem::path& path, const cloud& points,
                                         std::span<const std::int32_t> labels,
                                         encoding how = encoding::binary);

// Describes a part of a cloud that several processes write: how many points there are in all, and
// whether this is the first part.
struct cloud_part {
  std::uint64_t points_in_all = 0;
  bool is_first = true;
  bool has_exact = false;  // all parts write doubles
};

// The bytes that a part adds to the file. Concatenated, they are the bytes_of_cloud of the whole
// cloud. All parts must have the same columns.
//   throws   error for `packed`, which cannot be written in parts
[[nodiscard]] std::string bytes_of_part(const std::filesystem::path& path, const cloud& points,
                                        std::span<const std::int32_t> labels, encoding how,
                                        const cloud_part& part);

// Throws error if write_cloud has no format for the name. Call it before the work.
void expect_known_output(const std::filesystem::path& path);

}  // namespace heddle::cloud
