// Thrown when a cloud cannot be read or written: one sentence that names the file and the place.
#pragma once
#include <cstddef>
#include <stdexcept>
#include <string>

namespace heddle::cloud {

class error : public std::runtime_error {
 public:
  error(const std::string& path, const std::string& sentence)
      : std::runtime_error(path + ": " + sentence) {}

  static error at_line(const std::string& path, std::size_t line, const std::string& sentence) {
    return {path + ", line " + std::to_string(line), sentence};
  }
  static error at_byte(const std::string& path, std::size_t byte, const std::string& sentence) {
    return {path + ", byte " + std::to_string(byte), sentence};
  }
};

}  // namespace heddle::cloud
