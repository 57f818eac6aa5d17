// Reads and writes whole files.
#include "frontend/driver/read_file.hpp"

#include <fstream>
#include <sstream>
#include <utility>

#include "frontend/driver/build_error.hpp"

namespace heddle::frontend {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw build_error("cannot write " + path.string());
}

}  // namespace heddle::frontend
