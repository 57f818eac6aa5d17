// Lets several processes write one file in parts, completely or not at all.
#include "cloud/part_write.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <files/output.hpp>

#include <cerrno>

namespace heddle::cloud {
namespace {

namespace fs = std::filesystem;

// 0, or the error code.
int write_at(int descriptor, std::uint64_t begin, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(begin));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    begin += static_cast<std::uint64_t>(count);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

}  // namespace

std::string begin_parts(const fs::path& path) {
  files::expect_writable(path);
  // A pipe cannot be written at an offset, and a device's folder is no place for files.
  const bool is_beside = !files::is_stream(path);
  return files::make_draft(is_beside ? files::end_of_links(path)
                                     : fs::temp_directory_path() / "heddle-parts");
}

void write_part(const std::string& name, const fs::path& path, std::uint64_t begin,
                std::string_view bytes) {
  const int descriptor = open(name.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) throw files::write_error(path, errno);
  const int code = write_at(descriptor, begin, bytes);
  const int close_code = close(descriptor) == 0 ? 0 : errno;
  if (code != 0 || close_code != 0) throw files::write_error(path, code != 0 ? code : close_code);
}

void finish_parts(const std::string& name, const fs::path& path) {
  files::finish_draft(name, path);
}

void drop_parts(const std::string& name) noexcept { unlink(name.c_str()); }

}  // namespace heddle::cloud
