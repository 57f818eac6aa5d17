// The value types of point files.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::cloud {

enum class scalar : std::uint8_t {
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64
};

[[nodiscard]] std::size_t size_of(scalar type);
[[nodiscard]] bool is_float(scalar type);

// The value at `from`, which may be unaligned.
[[nodiscard]] double to_double(scalar type, const char* from);

// Parses the word and writes the value to `to`, which has room for the type. False if the word is
// not such a number. Floats out of range become infinite or 0, as with strtod.
[[nodiscard]] bool parse(std::string_view word, scalar type, char* to);

// Appends the value as text that reads back as the same value.
void append_text(std::string& text, scalar type, const char* from);

// Appends `count` values, byte-swapped if `is_swapped`.
void append_bytes(std::string& bytes, scalar type, const char* from, std::size_t count,
                  bool is_swapped);

}  // namespace heddle::cloud
