// The types that a value in a file of points may have.
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

// The value at an address of any alignment.
[[nodiscard]] double to_double(scalar type, const char* from);

// Writes what the word says to `to`, which has room for the type. False if the word is no such
// number. Floats too large or too small to hold are infinite or 0, as with strtod.
[[nodiscard]] bool parse(std::string_view word, scalar type, char* to);

// Appends the value as text that reads back as the same value.
void append_text(std::string& text, scalar type, const char* from);

// Appends `count` values, each with its bytes the other way round if `is_swapped`.
void append_bytes(std::string& bytes, scalar type, const char* from, std::size_t count,
                  bool is_swapped);

}  // namespace heddle::cloud
