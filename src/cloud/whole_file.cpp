// Writes a file whole or not at all.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "cloud/write.hpp"

namespace heddle::cloud {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int code) {
  throw error(path.string(), fmt::format("it cannot be written: {}", std::strerror(code)));
}

// /dev/stdout and its like lead to a file that somebody writes to: it may not be replaced.
bool is_open_already(const fs::path& path) {
  const std::string name = fs::absolute(path).lexically_normal().string();
  return name.starts_with("/dev/") || name.starts_with("/proc/");
}

// A file that is closed, and removed unless it has been given its name.
class new_file {
 public:
  new_file(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}
  new_file(const new_file&) = delete;
  new_file& operator=(const new_file&) = delete;
  ~new_file() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!name_.empty()) unlink(name_.c_str());
  }

  // 0, or the code of what went wrong.
  int write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return errno;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    const int descriptor = std::exchange(descriptor_, -1);
    return close(descriptor) == 0 ? 0 : errno;
  }

  // What a file made with open() would have.
  void give_usual_mode() {
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor_, 0666 & ~mask);
  }

  int rename_to(const fs::path& path) {
    if (std::rename(name_.c_str(), path.c_str()) != 0) return errno;
    name_.clear();
    return 0;
  }

 private:
  int descriptor_;
  std::string name_;  // empty if it is not ours to remove
};

}  // namespace

void write_whole(const fs::path& path, std::string_view bytes) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) fail(path, EISDIR);
  if (fs::exists(status) && (!fs::is_regular_file(status) || is_open_already(path))) {
    new_file file(open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC), "");
    if (const int code = file.write(bytes)) fail(path, code);
    return;
  }
  // A link stays one: what it leads to is replaced.
  const fs::path target = fs::is_symlink(path, ignored) ? fs::weakly_canonical(path) : path;
  std::string name =
      (target.parent_path() / ("." + target.filename().string() + ".XXXXXX")).string();
  const int descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) fail(path, errno);
  new_file file(descriptor, name);
  file.give_usual_mode();
  if (const int code = file.write(bytes)) fail(path, code);
  if (const int code = file.rename_to(target)) fail(path, code);
}

}  // namespace heddle::cloud
