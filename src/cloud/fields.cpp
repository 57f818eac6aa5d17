// Makes a cloud from fields that lie anywhere in a file.
#include "cloud/fields.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace heddle::cloud {
namespace {

static_assert(std::endian::native == std::endian::little, "files are read as they lie in memory");

void copy_value(const field& from, std::size_t point, char* to) {
  const std::size_t size = size_of(from.type);
  std::memcpy(to, from.first + point * from.stride, size);
  if (from.is_swapped) std::reverse(to, to + size);
}

double value_of(const field& from, std::size_t point) {
  char value[8];
  copy_value(from, point, value);
  return to_double(from.type, value);
}

const field* find_axis(const source& file, const std::vector<field>& fields, char axis) {
  for (const field& one : fields) {
    if (one.name.size() != 1 || (one.name[0] | 0x20) != axis) continue;
    if (one.width != 1)
      file.fail(fmt::format("the field {} has {} values for each point, not one", axis, one.width));
    return &one;
  }
  return nullptr;
}

bool is_float_exactly(double value) {
  return std::isnan(value) || static_cast<double>(static_cast<float>(value)) == value;
}

// The middle of an axis, if floats gain at least three bits by measuring from there; else 0.
// Ignores outliers: uses the middle nine tenths of a sample of some thousand points.
double origin_of(const std::vector<double>& exact, std::size_t axis) {
  const std::size_t step = 3 * (exact.size() / 3 / 4096 + 1);
  std::vector<double> sample;
  for (std::size_t at = axis; at < exact.size(); at += step)
    if (std::isfinite(exact[at])) sample.push_back(exact[at]);
  if (sample.empty()) return 0;
  std::sort(sample.begin(), sample.end());
  const double low = sample[sample.size() / 20];
  const double high = sample[sample.size() - 1 - sample.size() / 20];
  const double reach = high / 2 - low / 2;
  return std::max(std::abs(low), std::abs(high)) >= 8 * reach ? low / 2 + high / 2 : 0;
}

void settle(cloud& made) {
  made.points.resize(made.exact.size());
  if (std::all_of(made.exact.begin(), made.exact.end(), is_float_exactly)) {
    std::transform(made.exact.begin(), made.exact.end(), made.points.begin(),
                   [](double value) { return static_cast<float>(value); });
    made.exact = {};
    return;
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    made.origin[axis] = origin_of(made.exact, axis);
    for (std::size_t at = axis; at < made.exact.size(); at += 3)
      made.points[at] = static_cast<float>(made.exact[at] - made.origin[axis]);
  }
}

column column_of(const field& from, std::size_t count) {
  column made{from.name, from.type, from.width, {}};
  made.values.reserve(count * from.width * size_of(from.type));
  for (std::size_t point = 0; point < count; ++point)
    append_bytes(made.values, from.type, from.first + point * from.stride, from.width,
                 from.is_swapped);
  return made;
}

}  // namespace

std::size_t record_size(const std::vector<field>& fields) {
  std::size_t size = 0;
  for (const field& one : fields) size += one.width * size_of(one.type);
  return size;
}

void place_in_records(std::vector<field>& fields, const char* records) {
  const std::size_t stride = record_size(fields);
  for (field& one : fields) {
    one.first = records;
    one.stride = stride;
    records += one.width * size_of(one.type);
  }
}

void keep_part(const source& file, std::vector<field>& fields, std::uint64_t& count) {
  const std::uint64_t begin = file.begin_of_part(count), end = file.end_of_part(count);
  for (field& one : fields) one.first += begin * one.stride;
  count = end - begin;
}

cloud cloud_of_fields(const source& file, const std::vector<field>& fields, std::size_t count,
                      bool has_plane_points) {
  static constexpr float zero = 0;
  const field plane{"z", scalar::float32, 1, reinterpret_cast<const char*>(&zero), 0};
  std::array<const field*, 3> axes{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const char name = "xyz"[axis];
    axes[axis] = find_axis(file, fields, name);
    if (axes[axis] == nullptr && axis == 2 && has_plane_points) axes[axis] = &plane;
    if (axes[axis] == nullptr) file.fail(fmt::format("its points have no field {}", name));
  }
  cloud made;
  const bool has_floats = std::all_of(
      axes.begin(), axes.end(), [](const field* axis) { return axis->type == scalar::float32; });
  if (has_floats) {
    made.points.resize(3 * count);
    for (std::size_t point = 0; point < count; ++point)
      for (std::size_t axis = 0; axis < 3; ++axis)
        copy_value(*axes[axis], point, reinterpret_cast<char*>(&made.points[3 * point + axis]));
  } else {
    made.exact.resize(3 * count);
    for (std::size_t point = 0; point < count; ++point)
      for (std::size_t axis = 0; axis < 3; ++axis)
        made.exact[3 * point + axis] = value_of(*axes[axis], point);
    settle(made);
  }
  for (const field& one : fields) {
    const bool is_axis = std::find(axes.begin(), axes.end(), &one) != axes.end();
    const bool is_padding = one.name == "_" || one.width == 0;
    if (!is_axis && !is_padding) made.columns.push_back(column_of(one, count));
  }
  return made;
}

}  // namespace heddle::cloud
