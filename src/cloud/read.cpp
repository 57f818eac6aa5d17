// Reads a point cloud from a file.
#include "cloud/read.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

#include "cloud/mapped_file.hpp"
#include "cloud/source.hpp"

namespace heddle::cloud {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, format>, 9> names{{{"pcd", format::pcd},
                                                                    {"ply", format::ply},
                                                                    {"las", format::las},
                                                                    {"npy", format::npy},
                                                                    {"kitti", format::kitti},
                                                                    {"bin", format::kitti},
                                                                    {"csv", format::text},
                                                                    {"xyz", format::text},
                                                                    {"text", format::text}}};

std::string contents_of(const fs::path& path, const progress_listener& on_progress) {
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (!fs::exists(status)) throw error(path.string(), "there is no such file");
  if (!fs::is_regular_file(status) && !fs::is_fifo(status))
    throw error(path.string(), "it is no file");
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
  if (!file) throw error(path.string(), fmt::format("it cannot be read: {}", std::strerror(errno)));
  // 0 for anything but a regular file; the text then grows as it is read.
  const std::uintmax_t size = fs::is_regular_file(status) ? fs::file_size(path, failure) : 0;
  constexpr std::size_t piece = std::size_t{4} << 20;
  std::string bytes;
  if (!failure) bytes.reserve(static_cast<std::size_t>(size) + 1);
  for (;;) {
    const std::size_t begin = bytes.size();
    bytes.resize(begin + piece);
    const std::size_t count = std::fread(bytes.data() + begin, 1, piece, file.get());
    bytes.resize(begin + count);
    if (std::ferror(file.get()) != 0)
      throw error(path.string(), fmt::format("it cannot be read: {}", std::strerror(errno)));
    if (on_progress && size != 0)
      on_progress("reading", static_cast<double>(bytes.size()) / static_cast<double>(size));
    if (count < piece) return bytes;
  }
}

std::string extension_of(const fs::path& path) {
  std::string extension = path.extension().string();
  for (char& letter : extension)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter | 0x20);
  return extension;
}

format format_of(std::string_view bytes, const fs::path& path) {
  if (bytes.starts_with("ply\n") || bytes.starts_with("ply\r") || bytes.starts_with("ply "))
    return format::ply;
  if (bytes.starts_with("LASF")) return format::las;
  if (bytes.starts_with("\x93NUMPY")) return format::npy;
  if (bytes.starts_with("# .PCD") || bytes.starts_with("VERSION") || bytes.starts_with("FIELDS"))
    return format::pcd;
  const std::string extension = extension_of(path);
  if (extension == ".bin") return format::kitti;
  const format named = format_named(std::string_view(extension).substr(extension.empty() ? 0 : 1));
  if (named != format::by_content) return named;
  // Nearly every binary file has a zero byte, and no text has one.
  if (bytes.substr(0, 4096).find('\0') != bytes.npos)
    throw error(path.string(),
                "it is no cloud that can be read: PCD, PLY, LAS, NPY, KITTI .bin or text");
  return format::text;
}

}  // namespace

void source::need(std::size_t begin, std::uint64_t count, std::uint64_t size,
                  std::string_view what) const {
  const std::uint64_t room = begin <= bytes.size() ? bytes.size() - begin : 0;
  if (begin <= bytes.size() && (size == 0 || count <= room / size)) return;
  if (count == 1)
    fail_at_byte(begin, fmt::format("{} should have {} bytes, but {} are left", what, size, room));
  fail_at_byte(begin, fmt::format("{} {} of {} bytes should follow, but {} bytes are left", count,
                                  what, size, room));
}

std::string shown(std::string_view word) {
  constexpr std::size_t longest = 40;
  std::string text(word.substr(0, longest));
  for (char& letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (code < 32 || code >= 127) letter = '?';
  }
  if (word.size() > longest) text += "…";
  return text;
}

format format_named(std::string_view name) {
  for (const auto& [known, meant] : names)
    if (known == name) return meant;
  return format::by_content;
}

cloud read_cloud_from(std::string_view bytes, const fs::path& path, const read_options& options) {
  const source file{path.string(), bytes, options.on_progress, options.part};
  if (bytes.empty()) file.fail("it is empty");
  switch (options.as == format::by_content ? format_of(bytes, path) : options.as) {
    case format::pcd:
      return read_pcd(file);
    case format::ply:
      return read_ply(file);
    case format::las:
      return read_las(file);
    case format::npy:
      return read_npy(file);
    case format::kitti:
      return read_kitti(file);
    case format::text:
    case format::by_content:
      break;
  }
  return read_text(file);
}

cloud read_cloud(const fs::path& path, const read_options& options) {
  // A part touches few pages of the file, so only those are loaded.
  if (options.part.of > 1) return read_cloud_from(mapped_file(path).bytes(), path, options);
  return read_cloud_from(contents_of(path, options.on_progress), path, options);
}

}  // namespace heddle::cloud
