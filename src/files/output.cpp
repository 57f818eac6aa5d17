// Writes output files without damaging what is already there.
#include "files/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace heddle::files {
namespace {

namespace fs = std::filesystem;

std::string normal_name(const fs::path& path) {
  return fs::absolute(path).lexically_normal().string();
}

// The descriptor that a name refers to. Opening /dev/stdout would not do: a socket cannot be
// opened, and a file would be overwritten from its beginning.
std::optional<int> descriptor_named(const fs::path& path) {
  if (path == "-") return STDOUT_FILENO;
  const std::string name = normal_name(path);
  if (name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view start : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!name.starts_with(start)) continue;
    int number = 0;
    const char* const end = name.data() + name.size();
    const auto read = std::from_chars(name.data() + start.size(), end, number);
    if (read.ec == std::errc() && read.ptr == end) return number;
  }
  return std::nullopt;
}

// A link in /proc/123/fd leads to a file that another process writes.
bool is_in_proc(const fs::path& path) { return normal_name(path).starts_with("/proc/"); }

// Closes the descriptor at the end of its scope.
class descriptor {
 public:
  descriptor(const fs::path& path, int number) : path_(path), number_(number) {
    if (number_ < 0) throw write_error(path_, errno);
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() {
    if (number_ >= 0) close(number_);
  }

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(number_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw write_error(path_, errno);
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  // Some file systems report a full disk only on close.
  void finish() {
    if (close(std::exchange(number_, -1)) != 0) throw write_error(path_, errno);
  }

 private:
  const fs::path& path_;
  int number_;
};

enum class access_mode { plain, executable };

// What exists at a path whose links have been resolved.
struct place_status {
  bool exists = false;
  struct stat about {};

  [[nodiscard]] bool is_replaceable() const {
    return !exists || (S_ISREG(about.st_mode) && about.st_uid == geteuid());
  }
};

place_status status_of(const fs::path& place) {
  place_status found;
  found.exists = stat(place.c_str(), &found.about) == 0;
  return found;
}

void refuse_what_is_no_output(const fs::path& path, const place_status& there) {
  if (!there.exists) return;
  if (S_ISDIR(there.about.st_mode)) throw write_error(path, EISDIR);
  if (S_ISBLK(there.about.st_mode)) throw write_error(path, "it is a disk, not a file");
  if (S_ISSOCK(there.about.st_mode)) throw write_error(path, "it is a socket, not a file");
}

mode_t usual_permissions(access_mode mode) {
  const mode_t mask = umask(0);
  umask(mask);
  return (mode == access_mode::executable ? 0777 : 0666) & ~mask;
}

// An existing file keeps its permissions; a program becomes executable.
mode_t permissions_for(const place_status& there, access_mode mode) {
  if (!there.exists) return usual_permissions(mode);
  const mode_t kept = there.about.st_mode & 0777;
  return mode == access_mode::executable ? kept | (usual_permissions(mode) & 0111) : kept;
}

// Writes the bytes of an output, from memory or from a file.
using byte_feed = std::function<void(descriptor& out)>;

void write_through(const fs::path& path, int number, const byte_feed& feed) {
  descriptor out(path, number);
  feed(out);
  out.finish();
}

void overwrite(const fs::path& path, const fs::path& place, access_mode mode,
               const byte_feed& feed) {
  write_through(path, open(place.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC), feed);
  // Only the owner may change the mode; if this fails, the mode stays as it was.
  if (mode == access_mode::executable)
    static_cast<void>(chmod(place.c_str(), permissions_for(status_of(place), mode)));
}

void take_name(const fs::path& path, const std::string& draft, const fs::path& place,
               access_mode mode) {
  const mode_t permissions = permissions_for(status_of(place), mode);
  if (chmod(draft.c_str(), permissions) != 0 || std::rename(draft.c_str(), place.c_str()) != 0)
    throw write_error(path, errno);
}

void replace(const fs::path& path, const fs::path& place, access_mode mode, const byte_feed& feed) {
  const std::string draft = make_draft(place);
  try {
    write_through(path, open(draft.c_str(), O_WRONLY | O_CLOEXEC), feed);
    take_name(path, draft, place, mode);
  } catch (...) {
    unlink(draft.c_str());
    throw;
  }
}

fs::path folder_of(const fs::path& place) {
  return place.has_parent_path() ? place.parent_path() : fs::path(".");
}

void write(const fs::path& path, access_mode mode, const byte_feed& feed) {
  const fs::path place = end_of_links(path);
  if (const auto number = descriptor_named(place)) {
    // Keeps the order: earlier output may still be in the C library's buffer.
    std::fflush(nullptr);
    return write_through(path, fcntl(*number, F_DUPFD_CLOEXEC, 0), feed);
  }
  const place_status there = status_of(place);
  refuse_what_is_no_output(path, there);
  if (is_stream(place)) {
    const int number = open(place.c_str(), O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
    return write_through(path, number, feed);
  }
  if (there.exists && access(place.c_str(), W_OK) != 0) throw write_error(path, errno);
  const bool can_add_files = access(folder_of(place).c_str(), W_OK | X_OK) == 0;
  if (there.exists && (!there.is_replaceable() || !can_add_files))
    return overwrite(path, place, mode, feed);
  if (!can_add_files) throw write_error(path, errno);
  replace(path, place, mode, feed);
}

}  // namespace

write_error::write_error(const fs::path& path, int code) : write_error(path, std::strerror(code)) {}
write_error::write_error(const fs::path& path, const std::string& reason)
    : std::runtime_error("cannot write " + path.string() + ": " + reason) {}

fs::path end_of_links(fs::path path) {
  constexpr int most_links = 40;  // as in Linux
  const fs::path asked = path;
  for (int links = 0; links < most_links; ++links) {
    if (descriptor_named(path) || is_in_proc(path)) return path;
    std::error_code is_no_link;
    const fs::path next = fs::read_symlink(path, is_no_link);
    if (is_no_link) return path;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  throw write_error(asked, ELOOP);
}

std::string make_draft(const fs::path& place) {
  std::string name = (place.parent_path() / ("." + place.filename().string() + ".XXXXXX")).string();
  const int number = mkostemp(name.data(), O_CLOEXEC);
  if (number < 0) throw write_error(place, errno);
  close(number);
  return name;
}

void write(const fs::path& path, std::string_view bytes) {
  write(path, access_mode::plain, [&](descriptor& out) { out.write(bytes); });
}

void deliver(const fs::path& finished, const fs::path& path) {
  std::ifstream file(finished, std::ios::binary);
  if (!file) throw write_error(path, errno);
  const bool is_program = access(finished.c_str(), X_OK) == 0;
  write(path, is_program ? access_mode::executable : access_mode::plain, [&](descriptor& out) {
    std::vector<char> piece(1 << 20);
    while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())), file.gcount() > 0)
      out.write({piece.data(), static_cast<std::size_t>(file.gcount())});
    if (file.bad()) throw write_error(path, EIO);
  });
}

void finish_draft(const std::string& draft, const fs::path& path) {
  const fs::path place = end_of_links(path);
  if (!is_stream(place) && status_of(place).is_replaceable())
    return take_name(path, draft, place, access_mode::plain);
  deliver(draft, path);
  unlink(draft.c_str());
}

void expect_writable(const fs::path& path) {
  const fs::path place = end_of_links(path);
  if (const auto number = descriptor_named(place)) {
    if (fcntl(*number, F_GETFD) < 0) throw write_error(path, errno);
    return;
  }
  const place_status there = status_of(place);
  refuse_what_is_no_output(path, there);
  const fs::path asked = there.exists ? place : folder_of(place);
  if (access(asked.c_str(), there.exists ? W_OK : W_OK | X_OK) != 0) throw write_error(path, errno);
}

bool is_standard_output(const fs::path& path) {
  return descriptor_named(end_of_links(path)) == STDOUT_FILENO;
}

bool is_stream(const fs::path& path) {
  const fs::path place = end_of_links(path);
  if (descriptor_named(place)) return true;
  const place_status there = status_of(place);
  return there.exists && (!S_ISREG(there.about.st_mode) || is_in_proc(place));
}

}  // namespace heddle::files
