// The files of clouds/ and the points in them.
#pragma once
#include <cloud/read.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

namespace heddle_test {

inline const std::filesystem::path folder_of_clouds = HEDDLE_TEST_CLOUDS;

inline std::string whole_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline const std::vector<float> six_points = [] {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  return std::vector<float>{1.5f,  -2.25f,   0.125f,      0.1f,  0.2f,     0.3f,
                            none,  infinity, -infinity,   1e10f, -3.5e-7f, 42.0f,
                            -0.0f, 7.0f,     1.0f / 3.0f, 1.5f,  -2.25f,   0.125f};
}();

// Coordinates as bits, so -0 differs from 0; all NaNs become equal.
inline std::vector<std::uint32_t> bits_of(const std::vector<float>& values) {
  std::vector<std::uint32_t> bits(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::memcpy(&bits[i], &values[i], sizeof bits[i]);
    if (values[i] != values[i]) bits[i] = 0x7fc00000;
  }
  return bits;
}

// The values of a column as doubles, point by point; empty if there is no such column.
inline std::vector<double> column_of(const heddle::cloud::cloud& cloud, const std::string& name) {
  std::vector<double> values;
  for (const heddle::cloud::column& one : cloud.columns) {
    if (one.name != name) continue;
    const std::size_t size = heddle::cloud::size_of(one.type);
    for (std::size_t at = 0; at + size <= one.values.size(); at += size)
      values.push_back(heddle::cloud::to_double(one.type, one.values.data() + at));
  }
  return values;
}

// A temporary folder, removed with its contents at the end.
class scratch_folder {
 public:
  scratch_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "heddle-cloud-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return path_ / name;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace heddle_test
