// Writes a point cloud and its labels to a file.
#include "cloud/write.hpp"

#include <fmt/core.h>
#include <files/output.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

#include "cloud/lzf.hpp"

namespace heddle::cloud {
namespace {

namespace fs = std::filesystem;

// A field of the file, whose values lie anywhere in memory.
struct output {
  std::string name;
  scalar type;
  std::size_t width;
  const char* first;
  std::size_t stride;
};

// Replaces characters that formats use to separate names.
std::string plain_name(const std::string& name) {
  std::string plain = name.empty() ? "column" : name;
  for (char& letter : plain)
    if (static_cast<unsigned char>(letter) <= ' ' || letter == ',' || letter == '"') letter = '_';
  return plain;
}

std::vector<output> outputs_of(const cloud& points, std::span<const std::int32_t> labels,
                               bool has_exact) {
  std::vector<output> fields;
  const char* const first = has_exact ? reinterpret_cast<const char*>(points.exact.data())
                                      : reinterpret_cast<const char*>(points.points.data());
  const scalar type = has_exact ? scalar::float64 : scalar::float32;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    // Without points, `first` may be null.
    const std::size_t before = points.size() == 0 ? 0 : axis * size_of(type);
    fields.push_back({std::string(1, "xyz"[axis]), type, 1, first + before, 3 * size_of(type)});
  }
  for (const column& one : points.columns)
    if (one.name != "label")
      fields.push_back({plain_name(one.name), one.type, one.width, one.values.data(),
                        one.width * size_of(one.type)});
  fields.push_back({"label", scalar::int32, 1, reinterpret_cast<const char*>(labels.data()),
                    sizeof(std::int32_t)});
  return fields;
}

// A binary record or a line of text for each point.
std::string rows(const std::vector<output>& fields, std::size_t count, bool is_text,
                 char separator) {
  std::string bytes;
  for (std::size_t point = 0; point < count; ++point) {
    for (const output& one : fields) {
      const char* from = one.first + point * one.stride;
      if (!is_text) {
        append_bytes(bytes, one.type, from, one.width, false);
        continue;
      }
      for (std::size_t value = 0; value < one.width; ++value, from += size_of(one.type)) {
        append_text(bytes, one.type, from);
        bytes += separator;
      }
    }
    if (is_text) bytes.back() = '\n';
  }
  return bytes;
}

std::string pcd_header(const std::vector<output>& fields, std::size_t count, const char* data) {
  std::string names, sizes, types, widths;
  for (const output& one : fields) {
    const bool is_unsigned = one.type == scalar::uint8 || one.type == scalar::uint16 ||
                             one.type == scalar::uint32 || one.type == scalar::uint64;
    names += " " + one.name;
    sizes += fmt::format(" {}", size_of(one.type));
    types += is_float(one.type) ? " F" : is_unsigned ? " U" : " I";
    widths += fmt::format(" {}", one.width);
  }
  return fmt::format(
      "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\nFIELDS{}\nSIZE{}\nTYPE{}\n"
      "COUNT{}\nWIDTH {}\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS {}\nDATA {}\n",
      names, sizes, types, widths, count, count, data);
}

std::string packed_pcd(const fs::path& path, const std::vector<output>& fields, std::size_t count) {
  std::string planes;
  for (const output& one : fields)
    for (std::size_t point = 0; point < count; ++point)
      append_bytes(planes, one.type, one.first + point * one.stride, one.width, false);
  const std::string packed = pack_lzf(planes);
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  if (planes.size() > most || packed.size() > most)
    throw error(path.string(), "a packed PCD has 4 GiB at most; binary has no such limit");
  const std::uint32_t sizes[2] = {static_cast<std::uint32_t>(packed.size()),
                                  static_cast<std::uint32_t>(planes.size())};
  return pcd_header(fields, count, "binary_compressed") +
         std::string(reinterpret_cast<const char*>(sizes), sizeof sizes) + packed;
}

std::string pcd(const fs::path& path, const std::vector<output>& fields, std::size_t count,
                encoding how, const cloud_part& part) {
  if (how == encoding::packed) {
    if (!part.is_first || part.points_in_all != count)
      throw error(path.string(), "a packed PCD cannot be written in parts; binary can");
    return packed_pcd(path, fields, count);
  }
  const bool is_text = how == encoding::ascii;
  const std::string header =
      part.is_first ? pcd_header(fields, part.points_in_all, is_text ? "ascii" : "binary") : "";
  return header + rows(fields, count, is_text, ' ');
}

std::string ply(const fs::path& path, std::vector<output> fields, std::size_t count, encoding how,
                const cloud_part& part) {
  if (how == encoding::packed) throw error(path.string(), "PLY has no packed form");
  constexpr const char* types[] = {"char", "uchar", "short", "ushort", "int",
                                   "uint", "",      "",      "float",  "double"};
  std::string header =
      fmt::format("ply\nformat {} 1.0\ncomment clustered by heddle\nelement vertex {}\n",
                  how == encoding::ascii ? "ascii" : "binary_little_endian", part.points_in_all);
  // PLY has no 64-bit integers; as doubles they keep 53 bits.
  std::vector<std::vector<double>> doubles;
  for (output& one : fields) {
    if (one.type == scalar::int64 || one.type == scalar::uint64) {
      std::vector<double>& values = doubles.emplace_back(one.width * count);
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = to_double(one.type, one.first + i * size_of(one.type));
      one.type = scalar::float64;
      one.first = reinterpret_cast<const char*>(values.data());
    }
    for (std::size_t value = 0; value < one.width; ++value)
      header += fmt::format("property {} {}{}\n", types[static_cast<std::size_t>(one.type)],
                            one.name, one.width == 1 ? "" : fmt::format("_{}", value));
  }
  header = part.is_first ? header + "end_header\n" : "";
  return header + rows(fields, count, how == encoding::ascii, ' ');
}

std::string csv(const std::vector<output>& fields, std::size_t count, const cloud_part& part) {
  std::string header;
  for (const output& one : fields)
    for (std::size_t value = 0; value < one.width; ++value)
      header += one.name + (one.width == 1 ? "," : fmt::format("_{},", value));
  header.back() = '\n';
  return (part.is_first ? header : "") + rows(fields, count, true, ',');
}

std::string npy(std::span<const std::int32_t> labels, const cloud_part& part) {
  const std::string_view values(reinterpret_cast<const char*>(labels.data()), labels.size_bytes());
  if (!part.is_first) return std::string(values);
  std::string header = fmt::format("{{'descr': '<i4', 'fortran_order': False, 'shape': ({},), }}",
                                   part.points_in_all);
  // The data begins at a multiple of 64 bytes.
  constexpr std::size_t before = 10;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 255);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  return bytes.append(values);
}

enum class kind { pcd, ply, npy, csv };

kind kind_of(const fs::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".pcd") return kind::pcd;
  if (extension == ".ply") return kind::ply;
  if (extension == ".npy") return kind::npy;
  if (extension == ".csv" || files::is_stream(path)) return kind::csv;
  throw error(path.string(), "a cloud is written as .pcd, .ply, .npy or .csv");
}

}  // namespace

void expect_known_output(const fs::path& path) { static_cast<void>(kind_of(path)); }

std::string bytes_of_cloud(const fs::path& path, const cloud& points,
                           std::span<const std::int32_t> labels, encoding how) {
  return bytes_of_part(path, points, labels, how, {points.size(), true, !points.exact.empty()});
}

std::string bytes_of_part(const fs::path& path, const cloud& points,
                          std::span<const std::int32_t> labels, encoding how,
                          const cloud_part& part) {
  if (labels.size() != points.size())
    throw std::invalid_argument("heddle::cloud: there is not one label for each point");
  const std::vector<output> fields = outputs_of(points, labels, part.has_exact);
  switch (kind_of(path)) {
    case kind::pcd:
      return pcd(path, fields, points.size(), how, part);
    case kind::ply:
      return ply(path, fields, points.size(), how, part);
    case kind::csv:
      return csv(fields, points.size(), part);
    case kind::npy:
      break;
  }
  return npy(labels, part);
}

void write_cloud(const fs::path& path, const cloud& points, std::span<const std::int32_t> labels,
                 encoding how) {
  files::write(path, bytes_of_cloud(path, points, labels, how));
}

}  // namespace heddle::cloud
