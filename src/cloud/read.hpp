// From a file to a cloud.
#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "cloud/cloud.hpp"
#include "cloud/error.hpp"

namespace heddle::cloud {

enum class format { by_content, pcd, ply, las, npy, kitti, text };

// Hears what is being done to a long file, and how much of it is done, from 0 to 1.
using progress_listener = std::function<void(std::string_view what, double done)>;

// One of `of` parts of a file's points that follow each other, from 0 on; parts differ by a point
// in length, or in texts by their lines.
struct file_part {
  std::size_t number = 0;
  std::size_t of = 1;
};

struct read_options {
  format as = format::by_content;
  progress_listener on_progress;
  file_part part;
};

// Reads PCD, PLY, LAS and NPY by their first bytes; else KITTI's .bin by its name, and all other
// files as text with a point on each line. Trusts nothing that the file says.
//   throws   error, with the file and the place in it; std::bad_alloc
//   part     of files whose points can be found without reading those before them: PCD and PLY that
//            are binary and have no lists, LAS, NPY, .bin, and texts with a point on each line
//   cost     memory for the file and the cloud, never for counts that the file only claims; for one
//            of several parts, memory for the part of the cloud alone
[[nodiscard]] cloud read_cloud(const std::filesystem::path& path, const read_options& options = {});

// The same for bytes that are in memory; `path` is how errors call them.
[[nodiscard]] cloud read_cloud_from(std::string_view bytes, const std::filesystem::path& path,
                                    const read_options& options = {});

// The format that a word of the command line names; by_content if there is none of that name.
[[nodiscard]] format format_named(std::string_view name);

}  // namespace heddle::cloud
