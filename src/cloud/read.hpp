// Reads a point cloud from a file.
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

// Receives the progress of a long read: what is being done, and the fraction done from 0 to 1.
using progress_listener = std::function<void(std::string_view what, double done)>;

// One of `of` contiguous parts of a file's points, numbered from 0. Their sizes differ by at most
// one point; those of texts are split by bytes, at line ends.
struct file_part {
  std::size_t number = 0;
  std::size_t of = 1;
};

struct read_options {
  format as = format::by_content;
  progress_listener on_progress;
  file_part part;
};

// Recognises PCD, PLY, LAS and NPY by their first bytes and KITTI's .bin by its name; reads all
// other files as text with a point per line. Trusts nothing that the file claims.
//   throws   error, with the file and the position in it; std::bad_alloc
//   part     for files whose points can be found without reading those before them: binary PCD and
//            PLY without lists, LAS, NPY, .bin, and texts with a point per line
//   cost     memory for the file and the cloud, never for counts that the file only claims; for one
//            of several parts, memory for that part of the cloud only
[[nodiscard]] cloud read_cloud(const std::filesystem::path& path, const read_options& options = {});

// The same for bytes in memory; errors name `path`.
[[nodiscard]] cloud read_cloud_from(std::string_view bytes, const std::filesystem::path& path,
                                    const read_options& options = {});

// The format with this name on the command line; by_content if there is none.
[[nodiscard]] format format_named(std::string_view name);

}  // namespace heddle::cloud
