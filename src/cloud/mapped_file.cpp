// Maps a file into memory, so that only the pages that are read are loaded.
#include "cloud/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace heddle::cloud {

mapped_file::mapped_file(const std::filesystem::path& path) {
  const auto fail = [&](int code) {
    throw error(path.string(), code == ENOENT
                                   ? "there is no such file"
                                   : fmt::format("it cannot be read: {}", std::strerror(code)));
  };
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) fail(errno);
  struct stat facts {};
  const int code = fstat(descriptor, &facts) == 0 ? 0 : errno;
  const bool is_file = code == 0 && S_ISREG(facts.st_mode);
  size_ = is_file ? static_cast<std::size_t>(facts.st_size) : 0;
  void* const memory =
      size_ == 0 ? nullptr : mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
  const int map_code = memory == MAP_FAILED ? errno : 0;
  close(descriptor);
  if (code != 0) fail(code);
  if (!is_file) throw error(path.string(), "it is no file, and only files can be read by parts");
  if (map_code != 0) fail(map_code);
  first_ = static_cast<char*>(memory);
}

mapped_file::~mapped_file() {
  if (first_ != nullptr) munmap(first_, size_);
}

}  // namespace heddle::cloud
