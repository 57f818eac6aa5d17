// A file that several processes write, each its part, whole or not at all.
#include "cloud/part_write.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace heddle::cloud {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int code) {
  throw error(path.string(), fmt::format("it cannot be written: {}", std::strerror(code)));
}

// A link stays one: what it leads to is replaced.
fs::path target_of(const fs::path& path) {
  std::error_code ignored;
  return fs::is_symlink(path, ignored) ? fs::weakly_canonical(path) : path;
}

// 0, or the code of what went wrong.
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
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) fail(path, EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw error(path.string(), "it is no file, and only files can be written by parts");
  const fs::path target = target_of(path);
  std::string name =
      (target.parent_path() / ("." + target.filename().string() + ".XXXXXX")).string();
  const int descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) fail(path, errno);
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(descriptor, 0666 & ~mask);
  close(descriptor);
  return name;
}

void write_part(const std::string& name, const fs::path& path, std::uint64_t begin,
                std::string_view bytes) {
  const int descriptor = open(name.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path, errno);
  const int code = write_at(descriptor, begin, bytes);
  const int close_code = close(descriptor) == 0 ? 0 : errno;
  if (code != 0 || close_code != 0) fail(path, code != 0 ? code : close_code);
}

void finish_parts(const std::string& name, const fs::path& path) {
  if (std::rename(name.c_str(), target_of(path).c_str()) != 0) fail(path, errno);
}

void drop_parts(const std::string& name) noexcept { unlink(name.c_str()); }

}  // namespace heddle::cloud
