// Maps a file into memory, so that only the pages that are read are loaded.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string_view>

#include "cloud/error.hpp"

namespace heddle::cloud {

// The bytes of a file while the object lives. If the file is truncated meanwhile, access is fatal.
class mapped_file {
 public:
  // Throws error unless the file can be read.
  explicit mapped_file(const std::filesystem::path& path);
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;
  ~mapped_file();

  [[nodiscard]] std::string_view bytes() const { return {first_, size_}; }

 private:
  char* first_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace heddle::cloud
