// A 128-bit digest that names builds by their content.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::frontend {

// Not cryptographic: it only keeps different builds apart.
class digest {
 public:
  digest& add(std::string_view text);  // includes its length, so boundaries matter
  std::string hexadecimal() const;     // 32 digits

 private:
  void mix(std::uint64_t word);
  std::uint64_t first_ = 0x243f6a8885a308d3;
  std::uint64_t second_ = 0x13198a2e03707344;
};

}  // namespace heddle::frontend
