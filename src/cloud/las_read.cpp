// Reads LAS 1.0 to 1.4, the format of airborne scans: integers with a scale and an offset.
#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstring>

#include "cloud/fields.hpp"

namespace heddle::cloud {
namespace {

// The offsets of a point format's fields; 0 for those it does not have.
struct point_format {
  std::size_t size;
  std::size_t classification;
  std::size_t time;
  std::size_t colour;
};
constexpr std::array<point_format, 11> point_formats{{{20, 15, 0, 0},
                                                      {28, 15, 20, 0},
                                                      {26, 15, 0, 20},
                                                      {34, 15, 20, 28},
                                                      {57, 15, 20, 0},
                                                      {63, 15, 20, 28},
                                                      {30, 16, 22, 0},
                                                      {36, 16, 22, 30},
                                                      {38, 16, 22, 30},
                                                      {59, 16, 22, 0},
                                                      {67, 16, 22, 30}}};

struct las_header {
  std::uint64_t points = 0;
  std::size_t body = 0;
  std::size_t record = 0;
  std::size_t format = 0;
  std::array<double, 3> scale{}, offset{};
};

template <typename T>
T value_at(const source& file, std::size_t byte) {
  T value;
  file.need(byte, 1, sizeof value, "a header of LAS");
  std::memcpy(&value, file.bytes.data() + byte, sizeof value);
  return value;
}

las_header read_header(const source& file) {
  if (!file.bytes.starts_with("LASF")) file.fail_at_byte(0, "a LAS file begins with 'LASF'");
  const unsigned major = value_at<std::uint8_t>(file, 24), minor = value_at<std::uint8_t>(file, 25);
  if (major != 1 || minor > 4)
    file.fail_at_byte(24, fmt::format("it is LAS {}.{}; 1.0 to 1.4 can be read", major, minor));
  las_header header;
  header.body = value_at<std::uint32_t>(file, 96);
  header.format = value_at<std::uint8_t>(file, 104);
  header.record = value_at<std::uint16_t>(file, 105);
  header.points = value_at<std::uint32_t>(file, 107);
  if (minor == 4) header.points = value_at<std::uint64_t>(file, 247);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    header.scale[axis] = value_at<double>(file, 131 + 8 * axis);
    header.offset[axis] = value_at<double>(file, 155 + 8 * axis);
    if (!std::isfinite(header.scale[axis]) || !std::isfinite(header.offset[axis]) ||
        header.scale[axis] == 0)
      file.fail_at_byte(131, "its scales and offsets are no sound numbers");
  }
  // Bit 7; early writers used bit 6.
  if ((header.format & 0xc0) != 0)
    file.fail_at_byte(104, "its points are packed (LAZ); unpack it to LAS first");
  if (header.format >= point_formats.size())
    file.fail_at_byte(104, fmt::format("there is no point format {} in LAS", header.format));
  if (header.record < point_formats[header.format].size)
    file.fail_at_byte(105, fmt::format("its points have {} bytes, fewer than format {} has",
                                       header.record, header.format));
  if (header.body < 227) file.fail_at_byte(96, "its points begin within the header");
  file.need(header.body, header.points, header.record, "points");
  return header;
}

}  // namespace

cloud read_las(const source& file) {
  const las_header header = read_header(file);
  const std::uint64_t before = file.begin_of_part(header.points);
  const std::uint64_t points = file.end_of_part(header.points) - before;
  const point_format& layout = point_formats[header.format];
  const char* const records = file.bytes.data() + header.body + before * header.record;
  std::vector<double> coordinates(3 * points + 3);  // never empty, so data() is not null
  std::string classes(points, '\0');
  for (std::size_t point = 0; point < points; ++point) {
    const char* const record = records + point * header.record;
    for (std::size_t axis = 0; axis < 3; ++axis)
      coordinates[3 * point + axis] =
          to_double(scalar::int32, record + 4 * axis) * header.scale[axis] + header.offset[axis];
    // In older formats the upper bits are flags.
    classes[point] = static_cast<char>(record[layout.classification] &
                                       (layout.classification == 15 ? 0x1f : 0xff));
  }
  std::vector<field> fields;
  for (std::size_t axis = 0; axis < 3; ++axis)
    fields.push_back({std::string(1, "xyz"[axis]), scalar::float64, 1,
                      reinterpret_cast<const char*>(coordinates.data() + axis),
                      3 * sizeof(double)});
  const auto add = [&](const char* name, scalar type, std::size_t byte) {
    fields.push_back({name, type, 1, records + byte, header.record});
  };
  add("intensity", scalar::uint16, 12);
  fields.push_back({"classification", scalar::uint8, 1, classes.data(), 1});
  if (layout.time != 0) add("gps_time", scalar::float64, layout.time);
  if (layout.colour != 0) {
    add("red", scalar::uint16, layout.colour);
    add("green", scalar::uint16, layout.colour + 2);
    add("blue", scalar::uint16, layout.colour + 4);
  }
  return cloud_of_fields(file, fields, points);
}

}  // namespace heddle::cloud
