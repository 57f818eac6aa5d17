// The value types of point files.
#include "cloud/scalar.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace heddle::cloud {
namespace {

// Calls `use` with a value of the type; only the type of the argument matters.
template <typename Use>
decltype(auto) with_type(scalar type, Use&& use) {
  switch (type) {
    case scalar::int8:
      return use(std::int8_t{});
    case scalar::uint8:
      return use(std::uint8_t{});
    case scalar::int16:
      return use(std::int16_t{});
    case scalar::uint16:
      return use(std::uint16_t{});
    case scalar::int32:
      return use(std::int32_t{});
    case scalar::uint32:
      return use(std::uint32_t{});
    case scalar::int64:
      return use(std::int64_t{});
    case scalar::uint64:
      return use(std::uint64_t{});
    case scalar::float32:
      return use(float{});
    case scalar::float64:
      break;
  }
  return use(double{});
}

template <typename T>
T value_at(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <typename T>
bool parse_as(std::string_view word, T& value) {
  if (word.starts_with('+')) {
    word.remove_prefix(1);
    if (word.starts_with('-') || word.starts_with('+')) return false;
  }
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size() || code == std::errc::invalid_argument) return false;
  if (code != std::errc::result_out_of_range) return true;
  if constexpr (std::is_same_v<T, float>) {
    value = std::strtof(std::string(word).c_str(), nullptr);
    return true;
  } else if constexpr (std::is_same_v<T, double>) {
    value = std::strtod(std::string(word).c_str(), nullptr);
    return true;
  } else {
    return false;
  }
}

}  // namespace

std::size_t size_of(scalar type) {
  return with_type(type, [](auto value) { return sizeof value; });
}

bool is_float(scalar type) { return type == scalar::float32 || type == scalar::float64; }

double to_double(scalar type, const char* from) {
  return with_type(
      type, [&](auto value) { return static_cast<double>(value_at<decltype(value)>(from)); });
}

bool parse(std::string_view word, scalar type, char* to) {
  return with_type(type, [&](auto value) {
    if (!parse_as(word, value)) return false;
    std::memcpy(to, &value, sizeof value);
    return true;
  });
}

void append_text(std::string& text, scalar type, const char* from) {
  with_type(type, [&](auto value) {
    value = value_at<decltype(value)>(from);
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    text.append(digits, end);
  });
}

void append_bytes(std::string& bytes, scalar type, const char* from, std::size_t count,
                  bool is_swapped) {
  const std::size_t size = size_of(type);
  const std::size_t begin = bytes.size();
  bytes.append(from, count * size);
  if (!is_swapped || size == 1) return;
  for (std::size_t i = 0; i < count; ++i) {
    char* const value = bytes.data() + begin + i * size;
    std::reverse(value, value + size);
  }
}

}  // namespace heddle::cloud
