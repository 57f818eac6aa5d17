// Real clouds with scikit-learn's labels, from the folder that HEDDLE_CLOUDS names.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "unpack.hpp"

namespace heddle_test {

inline std::string contents_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

// x y z of each point of a PCD file that has only these fields, as text or packed.
inline std::vector<float> read_cloud(const std::filesystem::path& path) {
  const std::string file = contents_of(path);
  const std::size_t data = file.find("\nDATA ") + 6, body = file.find('\n', data) + 1;
  const std::size_t count = std::stoul(file.substr(file.find("\nPOINTS ") + 8, 12));
  std::vector<float> values(3 * count);
  if (file.compare(data, 5, "ascii") == 0) {
    const char* at = file.c_str() + body;
    for (float& value : values) {
      char* end = nullptr;
      value = std::strtof(at, &end);
      if (end == at) throw std::runtime_error(path.string() + " ends early");
      at = end;
    }
    return values;
  }
  std::uint32_t sizes[2];
  std::memcpy(sizes, file.data() + body, sizeof sizes);
  const std::string text = unpack(file.substr(body + sizeof sizes, sizes[0]), sizes[1]);
  std::vector<float> planes(3 * count);
  std::memcpy(planes.data(), text.data(), sizes[1]);
  for (std::size_t p = 0; p < count; ++p)
    for (std::size_t axis = 0; axis < 3; ++axis) values[3 * p + axis] = planes[axis * count + p];
  return values;
}

struct reference_labels {
  std::filesystem::path cloud;
  double eps;
  int min_points;
  std::vector<std::int32_t> labels;
};

// All files NAME.epsE.minM.labels.i32 of a folder, with the cloud NAME.pcd.
inline std::vector<reference_labels> find_references(const std::filesystem::path& folder) {
  std::vector<reference_labels> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const std::size_t eps = name.find(".eps"), min = name.find(".min"),
                      end = name.find(".labels.i32");
    if (eps == name.npos || min == name.npos || end == name.npos) continue;
    const std::string bytes = contents_of(entry.path());
    reference_labels one{folder / (name.substr(0, eps) + ".pcd"),
                         std::stod(name.substr(eps + 4, min - eps - 4)),
                         std::stoi(name.substr(min + 4, end - min - 4)),
                         std::vector<std::int32_t>(bytes.size() / sizeof(std::int32_t))};
    std::memcpy(one.labels.data(), bytes.data(), bytes.size());
    found.push_back(std::move(one));
  }
  return found;
}

}  // namespace heddle_test
